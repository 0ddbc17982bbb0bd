import { describe, expect, test } from "vitest";
import { checkCallSchemas, decideCall } from "../src/index.ts";
import { AT, judge, ofPath, policyOf, refused, toHost, within } from "./support/calls.ts";

describe("a keyword counts wherever a string schema stands", () => {
  test.each<[string, object, unknown, string]>([
    ["items", { type: "array", items: within("/a") }, ["/a/b", "/a"], "pass"],
    ["items", { type: "array", items: within("/a") }, ["/a/b", "/b"], "deny"],
    ["properties", ofPath(within("/a")), { path: "/b" }, "deny"],
    ["additionalProperties", { type: "object", additionalProperties: within("/a") }, { x: "/b" }, "deny"],
    ["allOf", { allOf: [within("/a"), { type: "string", maxLength: 3 }] }, "/a/b/c", "deny"],
    ["anyOf", { anyOf: [within("/a"), toHost("example.com")] }, "https://example.com/", "pass"],
    ["anyOf", { anyOf: [within("/a"), toHost("example.com")] }, "/b", "deny"],
    ["both in one", { ...within("/a"), ...toHost("example.com") }, "/a", "deny"],
    ["beside allOf", { ...within("/a"), allOf: [{ maxLength: 3 }] }, "/a/b/c", "deny"],
  ])("%s", (_name, schema, value, decision) => {
    expect(judge(schema, value).decision).toBe(decision);
  });
});

describe("arguments are refused", () => {
  test.each<[string, object, string, string]>([
    ["with an unknown keyword", { type: "string", "path-witin": "/a" }, "invalid-schema", "/path-witin"],
    ["below not", { not: within("/a") }, "misplaced-keyword", "/not/path-within"],
    ["below if", { if: within("/a") }, "misplaced-keyword", "/if/path-within"],
    ["below else", { if: true, else: within("/a") }, "misplaced-keyword", "/else/path-within"],
    ["below oneOf", { oneOf: [within("/a"), true] }, "misplaced-keyword", "/oneOf/0/path-within"],
    ["below contains", { contains: within("/a") }, "misplaced-keyword", "/contains/path-within"],
    ["below propertyNames", { propertyNames: within("/a") }, "misplaced-keyword", "/propertyNames/path-within"],
    [
      "below not and properties",
      { not: { properties: { a: within("/a") } } },
      "misplaced-keyword",
      "/not/properties/a/path-within",
    ],
    ["in definitions", { $defs: { a: within("/a") } }, "misplaced-keyword", "/$defs/a/path-within"],
    ["in a foreign member", { "x-a": [{ b: within("/a") }] }, "misplaced-keyword", "/x-a"],
    [
      "next to a reference",
      { allOf: [within("/a"), { not: { $ref: "#/properties/path/allOf/0" } }] },
      "misplaced-keyword",
      "/allOf/0/path-within",
    ],
    ["without a type", { "path-within": "/a" }, "misplaced-keyword", "/path-within"],
    ["with several types", { type: ["string", "null"], "url-host": "a.example" }, "misplaced-keyword", "/url-host"],
    ["with no root", within(), "invalid-value", "/path-within"],
    ["with a root that is no text", { type: "string", "path-within": 3 }, "invalid-value", "/path-within"],
    ["with a root above itself", within("a/../.."), "invalid-value", "/path-within"],
    ["with an encoded root", within("/a%20b"), "invalid-value", "/path-within"],
    ["with a drive alone", within("C:"), "invalid-value", "/path-within"],
    ["with a URL as a host", toHost("https://example.com"), "invalid-value", "/url-host"],
    ["with a path behind the host", toHost("example.com/a"), "invalid-value", "/url-host"],
    ["with a host in upper case", toHost("Example.com"), "invalid-value", "/url-host"],
    ["with a host beyond ASCII", toHost("b\u00fccher.example"), "invalid-value", "/url-host"],
    ["with a wildcard alone", toHost("*"), "invalid-value", "/url-host"],
    ["with a wildcard inside", toHost("a.*.example.com"), "invalid-value", "/url-host"],
    ["with a wildcard in a label", toHost("a*.example.com"), "invalid-value", "/url-host"],
    ["with a wildcard before an address", toHost("*.0.0.1"), "invalid-value", "/url-host"],
    ["with the port of a scheme", toHost("example.com:443"), "invalid-value", "/url-host"],
    ["with an empty host", toHost(""), "invalid-value", "/url-host"],
  ])("%s", (_name, schema, code, place) => {
    const { code: received, path } = refused(() => policyOf({ arguments: ofPath(schema) }));
    expect([received, path]).toEqual([code, `${AT}/properties/path${place}`]);
  });

  test("but not for unread members, member names, and data", () => {
    const schema = {
      type: "object",
      "x-order": 1,
      properties: {
        "path-within": { type: "string", nullable: true },
        b: { const: { "url-host": 1 } },
        "url-host": true,
      },
      $defs: { a: { $ref: "#" } },
    };
    expect(policyOf({ arguments: schema }).servers["files"]?.calls["read"]?.arguments).toEqual(schema);
  });
});

describe("arguments are compared with the locked schema", () => {
  const locked = ofPath({ type: "string", maxLength: 100 });
  const check = (schema: object, lock: object = locked) =>
    checkCallSchemas(policyOf({ arguments: schema }), (server, tool) =>
      server === "files" && tool === "read" ? [lock as never] : [],
    );

  test("and accepted where they are proven narrower, the keywords left out", () => {
    check(locked);
    check(ofPath({ ...within("/srv/data"), maxLength: 50 }));
    checkCallSchemas(policyOf({ deny: true }), () => []);
  });

  test("and with each one where several are locked", () => {
    const policy = policyOf({ arguments: ofPath({ type: "string", maxLength: 50 }) });
    const other = ofPath({ type: "string", maxLength: 10 });
    const act = () => checkCallSchemas(policy, () => [locked, other] as never);
    expect(refused(act).code).toBe("not-narrower");
  });

  test("and refused with a call that shows it", () => {
    const { code, path, message } = refused(() => check(ofPath(within("/srv/data"))));
    expect([code, path]).toEqual(["not-narrower", AT]);
    expect(message).toContain("are accepted, but the locked schema refuses them");
  });

  test.each<[string, object, object | undefined, string, string]>([
    [
      "where nothing is proven",
      ofPath({ type: "string", format: "email" }),
      ofPath({ type: "string", format: "uri" }),
      "unproven",
      AT,
    ],
    ["where the lock has no such tool", locked, undefined, "unproven", AT],
    ["where they are no schema", { type: "strng" }, locked, "invalid-schema", `${AT}/type`],
    ["where the locked schema is none", locked, { type: "strng" }, "invalid-schema", AT],
  ])("and refused %s", (_name, schema, lock, ...expected) => {
    const { code, path } = refused(() =>
      checkCallSchemas(policyOf({ arguments: schema }), () => (lock === undefined ? [] : [lock as never])),
    );
    expect([code, path]).toEqual(expected);
  });
});

describe("a call", () => {
  const call = { server: "files", tool: "read", arguments: { path: "/a" } } as const;

  test("of a tool that the policy does not name passes", () => {
    expect(decideCall(policyOf({ deny: true }), { server: "files", tool: "toString" })).toEqual({ decision: "pass" });
    expect(decideCall(policyOf({ deny: true }), { server: "web", tool: "read" })).toEqual({ decision: "pass" });
  });

  test("is denied before it is asked about", () => {
    expect(decideCall(policyOf({ deny: true, ask: true }), call).decision).toBe("deny");
    expect(decideCall(policyOf({ ask: true }), call).decision).toBe("ask");
    expect(decideCall(policyOf({ ask: true, arguments: ofPath(within("/b")) }), call).decision).toBe("deny");
    expect(decideCall(policyOf({ ask: true, arguments: ofPath(within("/a")) }), call).decision).toBe("ask");
  });

  test("is denied with the places that are not allowed", () => {
    expect(judge(within("/b"), "/a")).toMatchObject({ decision: "deny", places: [{ valuePath: "/path" }] });
    expect(judge({ type: "string", maxLength: 1 }, "/a")).toMatchObject({
      places: [{ valuePath: "/path", path: "/properties/path/maxLength" }],
    });
  });

  test("without arguments is judged as one with an empty object", () => {
    expect(decideCall(policyOf({ arguments: ofPath({}) }), { server: "files", tool: "read" }).decision).toBe("deny");
    expect(decideCall(policyOf({ arguments: { type: "object" } }), { server: "files", tool: "read" }).decision).toBe(
      "pass",
    );
  });

  test("whose arguments cannot be evaluated is denied", () => {
    const reason = "could not tell whether the policy allows these arguments";
    expect(judge({ type: "string", format: "email" }, "a")).toMatchObject({
      decision: "deny",
      reason: expect.stringContaining(reason),
    });
    const endless: Record<string, never> = {};
    (endless as Record<string, unknown>)["path"] = endless;
    expect(judge({}, endless)).toMatchObject({ decision: "deny", reason: expect.stringContaining(reason) });
  });
});
