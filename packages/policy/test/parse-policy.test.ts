import { describe, expect, test } from "vitest";
import { type PolicyDocument, PolicyError, parsePolicy } from "../src/index.ts";
import { RULES } from "./support/rules.ts";

const IGNORE = { rule: "mcp/item-added", until: "2026-12-31", reason: "agreed" };

/** Returns the error for a document. */
function refused(document: unknown): PolicyError {
  try {
    parsePolicy(document, RULES);
  } catch (error) {
    if (error instanceof PolicyError) return error;
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(document)}`);
}

const KEY = `MCowBQYDK2VwAyEA${"A".repeat(43)}=`;
const A_KEY = "an Ed25519 key as SubjectPublicKeyInfo in Base64";
const PLACE = "a path below the folder of the lock, or an https address";

describe("a document is read", () => {
  test("without members as strict", () => {
    expect(parsePolicy({}, RULES)).toEqual({ preset: "strict", rules: {}, ignores: [], servers: {} });
  });

  test("with every member", () => {
    const document: PolicyDocument = {
      $schema: "./agentprint.schema.json",
      preset: "compatible",
      failOn: "note",
      rules: { "mcp/item-added": "off", "mcp/item-removed": { check: "note", guard: "ask" } },
      ignores: [{ ...IGNORE, server: "files", tool: "read", path: "/name" }],
      servers: {
        files: {
          preset: "breaking",
          failOn: "warning",
          rules: { "mcp/item-added": { guard: "freeze" } },
          calls: {
            read: { deny: false, ask: true, maxPerMinute: 3, arguments: { type: "object" } },
            write: { deny: true },
          },
        },
        other: {},
      },
    };
    expect(parsePolicy(document, RULES)).toEqual({
      preset: "compatible",
      failOn: "note",
      rules: { "mcp/item-added": { check: "off" }, "mcp/item-removed": { check: "note", guard: "ask" } },
      ignores: document.ignores,
      servers: {
        files: {
          ...document.servers?.["files"],
          calls: { read: { ask: true, maxPerMinute: 3, arguments: { type: "object" } }, write: { deny: true } },
        },
        other: { rules: {}, calls: {} },
      },
    });
  });

  test("with a level alone for each rule", () => {
    const document = { rules: { "tool-prose-changed": "note" }, ignores: [{ ...IGNORE, path: "/tools/0" }] };
    const { rules, ignores } = parsePolicy(document, RULES);
    expect({ rules, ignores }).toEqual({
      rules: { "mcp/tool-prose-changed": { check: "note" } },
      ignores: document.ignores,
    });
  });

  test("into a frozen copy", () => {
    const rules = { "mcp/item-added": { check: "note" as const } };
    const policy = parsePolicy({ rules }, RULES);
    rules["mcp/item-added"].check = "off" as never;
    expect(policy.rules).toEqual({ "mcp/item-added": { check: "note" } });
    expect(Object.isFrozen(policy.rules["mcp/item-added"])).toBe(true);
  });

  test("and reports each id without its domain once", () => {
    const reported: string[][] = [];
    const rules = { "tool-prose-changed": "note" as const };
    const document = { rules, ignores: [{ ...IGNORE, rule: "tool-prose-changed" }], servers: { files: { rules } } };
    parsePolicy(document, RULES, { onShortId: (...ids) => reported.push(ids) });
    expect(reported).toEqual([["tool-prose-changed", "mcp/tool-prose-changed"]]);
  });

  test("with one decision of a rule under two of its ids", () => {
    const { rules } = parsePolicy({ rules: { "tool-prose-changed": "note", "mcp/tool-prose-changed": "note" } }, RULES);
    expect(rules).toEqual({ "mcp/tool-prose-changed": { check: "note" } });
  });

  test("with names that objects have by themselves", () => {
    const document = { servers: { constructor: { calls: { toString: { deny: true } } } } };
    const { servers } = parsePolicy(document, RULES);
    expect(servers["constructor"]?.calls["toString"]).toEqual({ deny: true });
  });
});

describe("a document is refused", () => {
  const call = (rule: unknown) => ({ servers: { files: { calls: { read: rule } } } });
  const AT_CALL = "/servers/files/calls/read";
  const CHECK = '"off", "note", "warning" or "error", or an object with check and guard';

  test.each<[document: unknown, code: string, path: string, expected: string]>([
    [[], "wrong-type", "", "object"],
    [null, "wrong-type", "", "object"],
    [{ preset: "lax" }, "invalid-value", "/preset", '"strict", "compatible" or "breaking"'],
    [{ failOn: 3 }, "invalid-value", "/failOn", '"note", "warning" or "error"'],
    [{ level: "note" }, "unknown-member", "/level", "only members that a policy has"],
    [{ rules: [] }, "wrong-type", "/rules", "object"],
    [{ rules: { "a/b": "fatal" } }, "invalid-value", "/rules/a~1b", CHECK],
    [{ rules: { "a/b": ["note"] } }, "invalid-value", "/rules/a~1b", CHECK],
    [{ rules: { "a/b": { check: "x" } } }, "invalid-value", "/rules/a~1b/check", '"off", "note", "warning" or "error"'],
    [{ rules: { "a/b": { guard: 1 } } }, "invalid-value", "/rules/a~1b/guard", '"pass", "freeze", "ask" or "block"'],
    [{ rules: { "a/b": { gaurd: "pass" } } }, "unknown-member", "/rules/a~1b/gaurd", "only members that a policy has"],
    [{ rules: { "no-rule": "off" } }, "unknown-rule", "/rules/no-rule", "the id of a rule"],
    [
      { rules: { "mcp/could-not-tell": "off" } },
      "fixed-rule",
      "/rules/mcp~1could-not-tell",
      "a rule that can be configured",
    ],
    [
      { rules: { "policy/weakened": "note" } },
      "fixed-rule",
      "/rules/policy~1weakened",
      "a rule that can be configured",
    ],
    [
      { rules: { "tool-prose-changed": "note", "mcp/tool-prose-changed": "off" } },
      "two-decisions",
      "/rules/tool-prose-changed",
      "one of them",
    ],
    [{ ignores: {} }, "wrong-type", "/ignores", "array"],
    [{ statements: { a: { from: 1, keys: [KEY] } } }, "wrong-type", "/statements/a/from", "string"],
    [{ statements: { a: { from: "s" } } }, "missing-member", "/statements/a/keys", "keys, or identities of sigstore"],
    [{ statements: { a: { from: "../s", keys: [KEY] } } }, "invalid-value", "/statements/a/from", PLACE],
    [{ statements: { a: { from: "http://a.example/s", keys: [KEY] } } }, "invalid-value", "/statements/a/from", PLACE],
    [{ statements: { a: { from: "s", keys: [] } } }, "invalid-value", "/statements/a/keys", "at least 1"],
    [{ statements: { a: { from: "s", keys: ["x"] } } }, "invalid-value", "/statements/a/keys/0", A_KEY],
    [{ ignores: [{}] }, "missing-member", "/ignores/0/rule", "string"],
    [{ ignores: [{ ...IGNORE, until: "2026-02-30" }] }, "invalid-value", "/ignores/0/until", "a day, YYYY-MM-DD"],
    [{ ignores: [{ ...IGNORE, reason: "" }] }, "invalid-value", "/ignores/0/reason", "a text"],
    [{ ignores: [{ ...IGNORE, rule: "no-rule" }] }, "unknown-rule", "/ignores/0/rule", "the id of a rule"],
    [
      { ignores: [{ ...IGNORE, rule: "policy/weakened" }] },
      "fixed-rule",
      "/ignores/0/rule",
      "a rule that can be configured",
    ],
    [
      { servers: { files: { ignores: [] } } },
      "unknown-member",
      "/servers/files/ignores",
      "only members that a policy has",
    ],
    [
      { servers: { files: { rules: { "no-rule": "off" } } } },
      "unknown-rule",
      "/servers/files/rules/no-rule",
      "the id of a rule",
    ],
    [call({ maxPerMinute: 0 }), "invalid-value", `${AT_CALL}/maxPerMinute`, "at least 1"],
    [call({ maxPerMinute: 0.5 }), "wrong-type", `${AT_CALL}/maxPerMinute`, "a whole number"],
    [call({ maxPerMinute: 1e300 }), "invalid-value", `${AT_CALL}/maxPerMinute`, "at most 9007199254740991"],
    [call({ deny: "yes" }), "wrong-type", `${AT_CALL}/deny`, "boolean"],
    [call({ arguments: true }), "wrong-type", `${AT_CALL}/arguments`, "object"],
    [JSON.parse('{"rules": {"__proto__": "off"}}'), "unsupported-name", "/rules/__proto__", "another name"],
    [JSON.parse('{"servers": {"__proto__": {}}}'), "unsupported-name", "/servers/__proto__", "another name"],
    [
      JSON.parse('{"servers": {"files": {"calls": {"__proto__": {"deny": true}}}}}'),
      "unsupported-name",
      "/servers/files/calls/__proto__",
      "another name",
    ],
    [JSON.parse('{"__proto__": {}}'), "unsupported-name", "/__proto__", "another name"],
    [{ preset: 1n }, "not-json", "/preset", "JSON"],
  ])("%o", (document, code, path, expected) => {
    const error = refused(document);
    expect({ code: error.code, path: error.path, expected: error.expected }).toEqual({ code, path, expected });
  });

  test("that is too large or nests too deeply", () => {
    const large = refused({ $schema: "x".repeat(1024 * 1024) });
    expect([large.code, large.path, large.expected]).toEqual(["not-json", "", "at most 1048576 bytes"]);
    expect(refused(JSON.parse("[".repeat(300) + "]".repeat(300))).code).toBe("not-json");
  });

  test("with a message that says what was received, and that is safe to print", () => {
    expect(refused({ preset: "\u202elax" }).message).toBe(
      'received "\\u{202e}lax", expected "strict", "compatible" or "breaking" (at /preset)',
    );
    expect(refused({ "\u202e": 1 }).message).toContain("(at /\\u{202e})");
    expect(refused({ ignores: [{}] }).message).toBe("received nothing, expected string (at /ignores/0/rule)");
  });
});
