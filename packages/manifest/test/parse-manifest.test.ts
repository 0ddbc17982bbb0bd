import { readFileSync } from "node:fs";
import { canonicalizeToBytes, hashCanonical } from "@agentprint/canonical-json";
import { manifestOf, scopeOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import {
  CapabilityManifestSchema,
  hashManifest,
  MANIFEST_MAX_BYTES,
  MANIFEST_WARN_BYTES,
  manifestJsonSchema,
  parseManifest,
} from "../src/index.ts";

function codesOf(input: unknown): string[] {
  const parsed = parseManifest(input);
  return parsed.ok ? [] : parsed.issues.map(({ code, path }) => `${code} ${path}`);
}

function warningsOf(input: unknown): string[] {
  const parsed = parseManifest(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.warnings.map(({ code, path }) => `${code} ${path}`);
}

/** Returns a manifest with exactly this many canonical bytes. */
function sized(bytes: number): string {
  const empty = canonicalizeToBytes(manifestOf({ tools: [toolOf("a", { description_i18n_key: "" })] })).length;
  return JSON.stringify(manifestOf({ tools: [toolOf("a", { description_i18n_key: "k".repeat(bytes - empty) })] }));
}

const SCHEMA = { type: "object", additionalProperties: false } as const;

test("voice causes a remark, because no client of version 1 supports it", () => {
  const remarks = (capability_flags: object): string[] => {
    const parsed = parseManifest(manifestOf({ capability_flags }));
    return parsed.ok ? parsed.warnings.map(({ code, path }) => `${code} ${path}`) : [];
  };
  expect(remarks({ supports_voice: true })).toEqual(["UNAVAILABLE_CAPABILITY /capability_flags/supports_voice"]);
  expect([remarks({ supports_voice: false }), remarks({}), remarks({ supports_group_chat: true })]).toEqual([
    [],
    [],
    [],
  ]);
});

describe("an invalid manifest", () => {
  test("has all problems at once, each with its place", () => {
    const text = `{
  "schema_version": "1.0",
  "agent_version": "v1",
  "extra": 1,
  "tools": [
    {"name": "readFile", "description_i18n_key": "", "input_schema": {"type": "array", "minLength": -1},
     "permission_scope": "nope", "timeout_ms": 0.5},
    {"name": "readFile"}
  ],
  "permission_scopes": [{"id": "a:b", "label_i18n_key": 1, "sensitivity": "HIGH"}],
  "capability_flags": {"supports_voice": 1}
}`;
    const parsed = parseManifest(text);
    const found = parsed.ok ? [] : parsed.issues.map(({ code, path, line }) => `${code} ${path} ${line}`);
    expect(found.toSorted()).toEqual(
      [
        "INVALID_AGENT_VERSION /agent_version 3",
        "UNKNOWN_FIELD /extra 4",
        "INVALID_TOOL_NAME /tools/0/name 6",
        "EMPTY_STRING /tools/0/description_i18n_key 6",
        "INPUT_SCHEMA_NOT_OBJECT /tools/0/input_schema/type 6",
        "INPUT_SCHEMA_NOT_CLOSED /tools/0/input_schema/additionalProperties 6",
        "INPUT_SCHEMA_INVALID /tools/0/input_schema/minLength 6",
        "UNKNOWN_SCOPE /tools/0/permission_scope 7",
        "INVALID_TIMEOUT /tools/0/timeout_ms 7",
        "INVALID_TOOL_NAME /tools/1/name 8",
        "DUPLICATE_TOOL_NAME /tools/1/name 8",
        "MISSING_FIELD /tools/1/description_i18n_key 8",
        "MISSING_FIELD /tools/1/input_schema 8",
        "MISSING_FIELD /tools/1/permission_scope 8",
        "WRONG_TYPE /permission_scopes/0/label_i18n_key 10",
        "INVALID_SENSITIVITY /permission_scopes/0/sensitivity 10",
        "WRONG_TYPE /capability_flags/supports_voice 11",
      ].toSorted(),
    );
  });

  test.each(["2.0", "1.1", "1", "", 1, null, [], {}])(
    "of schema_version %j has that one issue, whatever else the rules of 1.0 refuse",
    (schema_version) => {
      const other = { schema_version, tools: [{ name: "A" }, { name: "A" }], more: "a".repeat(MANIFEST_MAX_BYTES) };
      expect(codesOf(other)).toEqual(["UNSUPPORTED_SCHEMA_VERSION /schema_version"]);
      expect(codesOf(JSON.stringify(other))).toEqual(["UNSUPPORTED_SCHEMA_VERSION /schema_version"]);
      const result = CapabilityManifestSchema.safeParse(other);
      expect(result.error?.issues.map(({ path }) => path)).toEqual([["schema_version"]]);
    },
  );

  test.each([
    ["null", null, "WRONG_TYPE "],
    ["a number", 5, "WRONG_TYPE "],
    ["an array", [], "WRONG_TYPE "],
    ["undefined", undefined, "INVALID_JSON "],
    ["a Map inside", manifestOf({ capability_flags: new Map() as never }), "INVALID_JSON /capability_flags"],
    [
      "an unknown dialect",
      withSchema({ ...SCHEMA, $schema: "http://json-schema.org/draft-07/schema#" }),
      "INPUT_SCHEMA_WRONG_DIALECT /tools/0/input_schema/$schema",
    ],
    ["a schema that is true", withSchema(true), "WRONG_TYPE /tools/0/input_schema"],
    [
      "an unknown type",
      withSchema({ ...SCHEMA, properties: { "a/b": { type: "strng" } } }),
      "INPUT_SCHEMA_INVALID /tools/0/input_schema/properties/a~1b/type",
    ],
    [
      "objects with a member named toString where types must stand",
      withSchema({ ...SCHEMA, properties: { p: { type: [{ toString: 1 }, { toString: 1 }] } } }),
      "INPUT_SCHEMA_INVALID /tools/0/input_schema/properties/p/type/0",
    ],
    [
      "two scopes of one id",
      manifestOf({ permission_scopes: [...manifestOf().permission_scopes, scopeOf("files:read", "low")] }),
      "DUPLICATE_SCOPE_ID /permission_scopes/2/id",
    ],
  ])("%s", (_name, input, issue) => {
    expect(codesOf(input)).toContain(issue);
  });

  test.each([
    ["a duplicate key", '{"tools": [],\n "tools": []}', "INVALID_JSON /tools", 2],
    ["trailing data", "{}\n{}", "INVALID_JSON ", 2],
    ["a byte order mark", "\ufeff{}", "INVALID_JSON ", 1],
    ["a lone surrogate", '{"a": "\\ud800"}', "INVALID_JSON /a", 1],
    ["a number that overflows", '{"a": 1e400}', "INVALID_JSON /a", 1],
    ["bytes that are not UTF-8", Uint8Array.of(0x7b, 0xff), "INVALID_JSON ", 1],
    ["100,000 levels", `{"a":${"[".repeat(100_000)}`, `MANIFEST_TOO_DEEP /a${"/0".repeat(255)}`, 1],
    ["200 MB", " ".repeat(200_000_000), "MANIFEST_TOO_LARGE ", 1],
  ])("text with %s", (_name, text, issue, line) => {
    const parsed = parseManifest(text);
    expect(parsed.ok ? [] : parsed.issues.map(({ code, path, line: at }) => [`${code} ${path}`, at])).toEqual([
      [issue, line],
    ]);
  });

  test("a cycle is refused because it is deeper than a manifest may be", () => {
    expect(codesOf(cyclic())[0]).toMatch(/^MANIFEST_TOO_DEEP \/tools\/tools/);
  });

  test("a value of 100,000 levels is refused", () => {
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level++) deep = { not: deep };
    expect(codesOf(withSchema(deep))[0]).toMatch(/^MANIFEST_TOO_DEEP /);
  });

  test("keys such as __proto__ are unknown fields at every level", () => {
    const text = JSON.stringify(manifestOf());
    const polluted = text.replaceAll("{", '{"__proto__": {"polluted": true}, ').replaceAll(", }", "}");
    expect(codesOf(polluted)).toContain("UNKNOWN_FIELD /__proto__");
    expect(codesOf(polluted)).toContain("UNKNOWN_FIELD /tools/0/__proto__");
    expect(codesOf(text.replace("{", '{"constructor": 1, '))).toEqual(["UNKNOWN_FIELD /constructor"]);
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });

  test("the list of issues ends before its pointers take too much memory", () => {
    const properties = { ["k".repeat(60_000)]: { allOf: Array.from({ length: 30_000 }, () => 0) } };
    const text = JSON.stringify(manifestOf({ tools: [toolOf("a", { input_schema: { ...SCHEMA, properties } })] }));
    const parsed = parseManifest(text);
    const issues = parsed.ok ? [] : parsed.issues;
    expect(issues.reduce((sum, { path }) => sum + path.length, 0)).toBeLessThan(1024 * 1024);
    expect(issues.slice(0, -1).every(({ code, line }) => code === "INPUT_SCHEMA_INVALID" && line === 1)).toBe(true);
    expect(issues.at(-1)).toMatchObject({ code: "TOO_MANY_ISSUES", path: "" });
  });

  test("the list of warnings ends before its pointers take too much memory", () => {
    const remote = { $ref: "https://example.com/a.json" };
    const properties = { ["k".repeat(10_000)]: { allOf: Array.from({ length: 3_000 }, () => remote) } };
    const manifest = manifestOf({ tools: [toolOf("a", { input_schema: { ...SCHEMA, properties } })] });
    expect(warningsOf(manifest).at(-1)).toBe("TOO_MANY_WARNINGS ");
  });

  test("thousands of wrong schemas and types are each reported once, 10,000 at most", () => {
    const issues = (schema: object): number => codesOf(withSchema({ ...SCHEMA, ...schema })).length;
    expect(issues({ allOf: Array.from({ length: 9_000 }, () => 1) })).toBe(9_000);
    expect(issues({ allOf: Array.from({ length: 40_000 }, () => 1) })).toBe(10_001);
    expect(issues({ type: Array.from({ length: 10_000 }, (_, index) => `t${index}`) })).toBe(2);
    expect(issues({ properties: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [i, { type: "x" }])) })).toBe(
      5000,
    );
  });

  test("the deepest schema that is read is judged without overflowing the stack", () => {
    let deep: unknown = { type: "strng" };
    for (let level = 0; level < 251; level++) deep = { not: deep };
    expect(codesOf(withSchema({ ...SCHEMA, not: deep }))[0]).toMatch(/^INPUT_SCHEMA_INVALID /);
  });
});

describe("size", () => {
  test("128 KB is accepted, one byte more is not, 64 KB warns", () => {
    expect(codesOf(sized(MANIFEST_MAX_BYTES))).toEqual([]);
    expect(codesOf(sized(MANIFEST_MAX_BYTES + 1))).toEqual(["MANIFEST_TOO_LARGE "]);
    expect(warningsOf(sized(MANIFEST_WARN_BYTES - 1))).toEqual([]);
    expect(warningsOf(sized(MANIFEST_WARN_BYTES))).toEqual(["MANIFEST_LARGE "]);
  });

  test("canonical bytes count, and the raw text has a limit of its own", () => {
    const text = JSON.stringify(manifestOf());
    expect(codesOf(text + " ".repeat(4 * MANIFEST_MAX_BYTES - text.length))).toEqual([]);
    expect(codesOf(text + " ".repeat(4 * MANIFEST_MAX_BYTES - text.length + 1))).toEqual(["MANIFEST_TOO_LARGE "]);
    expect(codesOf({ a: "a".repeat(5 * MANIFEST_MAX_BYTES) })).toEqual(["MANIFEST_TOO_LARGE "]);
  });
});

describe("a manifest with warnings", () => {
  test("has scopes that look like others, or are declared less sensitive than clients expect", () => {
    const ids = ["filesystem:rеad", "a\u202eb:c", "plain", "location:read", "toString"];
    const scopes = [...manifestOf().permission_scopes, ...ids.map((id) => scopeOf(id, "medium"))];
    expect(warningsOf(manifestOf({ permission_scopes: scopes }))).toEqual([
      "CONFUSABLE_SCOPE_ID /permission_scopes/2/id",
      "CONFUSABLE_SCOPE_ID /permission_scopes/3/id",
      "UNUSUAL_SCOPE_ID /permission_scopes/4/id",
      "STANDARD_SCOPE_WEAKENED /permission_scopes/5/sensitivity",
      "UNUSUAL_SCOPE_ID /permission_scopes/6/id",
    ]);
    const parsed = parseManifest(manifestOf({ permission_scopes: scopes }));
    expect(JSON.stringify(parsed.ok && parsed.warnings)).not.toContain("\u202e");
  });

  test("has warnings with a place in the text", () => {
    const text = JSON.stringify(
      manifestOf({
        permission_scopes: [scopeOf("files:read", "low"), scopeOf("notification:send", "low"), scopeOf("x", "low")],
      }),
      null,
      1,
    );
    const parsed = parseManifest(text);
    const line = text.split("\n").findIndex((each) => each.includes('"x"')) + 1;
    expect(parsed).toMatchObject({ ok: true, warnings: [{ code: "UNUSUAL_SCOPE_ID", line }] });
  });
});

test("a value is read once and copied", () => {
  const input = manifestOf();
  const parsed = parseManifest(input);
  expect(parsed).toMatchObject({ ok: true, manifest: input });
  expect(parsed.ok && parsed.manifest.tools === input.tools).toBe(false);
});

test("the returned manifest is frozen at every level, and only a copy of it can have another digest", () => {
  const parsed = parseManifest(JSON.stringify(manifestOf()));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const { manifest } = parsed;
  const thaw = (value: unknown): string[] =>
    typeof value === "object" && value !== null
      ? [...(Object.isFrozen(value) ? [] : [JSON.stringify(value)]), ...Object.values(value).flatMap(thaw)]
      : [];
  expect(thaw(manifest)).toEqual([]);
  expect(hashManifest(manifest)).toBe(hashCanonical(manifest));
  const copy = { ...manifest, agent_version: "2.0.0" };
  expect(hashManifest(copy)).toBe(hashCanonical(copy));
  expect(hashManifest(copy)).not.toBe(hashManifest(manifest));
});

test("the zod schema refuses problems across several fields, too", () => {
  const tools = [toolOf("a"), toolOf("a", { permission_scope: "none" })];
  const result = CapabilityManifestSchema.safeParse(manifestOf({ tools }));
  expect(result.error?.issues.map(({ path }) => path.join("/"))).toEqual(["tools/1/name", "tools/1/permission_scope"]);
  expect(CapabilityManifestSchema.parse(manifestOf())).toEqual(manifestOf());
});

test("the published JSON Schema is the exported one", () => {
  const file = new URL("../schema/capability-manifest.schema.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(JSON.stringify(manifestJsonSchema())));
});

function withSchema(input_schema: unknown): unknown {
  return manifestOf({ tools: [toolOf("a", { input_schema: input_schema as never })] });
}

function cyclic(): unknown {
  const manifest = { ...manifestOf() } as { tools: unknown };
  manifest.tools = manifest;
  return manifest;
}
