import { manifestOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import { parseManifest } from "../src/index.ts";

/** Returns the warnings about one tool's schema, with places in the schema. */
function warn(keywords: object): string[] {
  const schema = { type: "object", additionalProperties: false, ...keywords } as const;
  const parsed = parseManifest(manifestOf({ tools: [toolOf("a", { input_schema: schema as never })] }));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.warnings.map(({ code, path }) => `${code} ${path.replace("/tools/0/input_schema", "")}`);
}

describe("references and patterns", () => {
  test("references: remote ones are never fetched", () => {
    expect(warn({ properties: { a: { $ref: "https://example.com/a.json" } } })).toEqual([
      "INPUT_SCHEMA_REMOTE_REF /properties/a/$ref",
    ]);
    expect(warn({ allOf: [{ $ref: "#/$defs/none" }] })).toEqual(["INPUT_SCHEMA_UNRESOLVED_REF /allOf/0/$ref"]);
    expect(warn({ items: { $ref: "#nowhere" } })).toEqual(["INPUT_SCHEMA_UNRESOLVED_REF /items/$ref"]);
    expect(warn({ items: { $ref: "#/%zz" } })).toEqual(["INPUT_SCHEMA_UNRESOLVED_REF /items/$ref"]);
    expect(warn({ $ref: "#" })).toEqual(["INPUT_SCHEMA_REF_CYCLE /$ref"]);
    expect(warn({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } })).toEqual([
      "INPUT_SCHEMA_REF_CYCLE /$defs/a/$ref",
      "INPUT_SCHEMA_REF_CYCLE /$defs/b/$ref",
    ]);
    const fine = {
      a: { $anchor: "x", $ref: "#/$defs/b~1c/prefixItems/0" },
      "b/c": { $id: "urn:b", prefixItems: [{}] },
    };
    expect(
      warn({ $defs: fine, anyOf: [{ $ref: "#x" }, { $ref: "urn:b" }, { $ref: "#/$defs/a" }, { $dynamicRef: "#x" }] }),
    ).toEqual([]);
  });

  test("a chain of 3,000 references is followed once", () => {
    const links = Array.from({ length: 3000 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]);
    const found = warn({ $defs: { ...Object.fromEntries(links), d3000: { $ref: "#/$defs/d2999" } } });
    expect(found.slice(1)).toEqual([
      "INPUT_SCHEMA_REF_CYCLE /$defs/d2999/$ref",
      "INPUT_SCHEMA_REF_CYCLE /$defs/d3000/$ref",
    ]);
  });

  test("patterns are compiled, never run", () => {
    const hostile = { properties: { a: { pattern: "^(a+)+$" } }, patternProperties: { "(": {}, "^x": {} } };
    expect(warn(hostile)).toEqual(["INPUT_SCHEMA_INVALID_PATTERN /patternProperties/("]);
    expect(warn({ properties: { pattern: { pattern: "[" } } })).toEqual([
      "INPUT_SCHEMA_INVALID_PATTERN /properties/pattern/pattern",
    ]);
    expect(warn({ default: { pattern: "[", $ref: "http://x" } })).toEqual([]);
  });
});

describe("below the keywords of earlier drafts that Draft 2020-12 still reads", () => {
  const bad = { properties: { ref: { $ref: "https://evil.example/x" }, pattern: { pattern: "(" } } };

  test.each(["definitions", "dependencies", "$defs"])("%s", (keyword) => {
    expect(warn({ [keyword]: { a: bad } })).toEqual([
      `INPUT_SCHEMA_INVALID_PATTERN /${keyword}/a/properties/pattern/pattern`,
      `INPUT_SCHEMA_REMOTE_REF /${keyword}/a/properties/ref/$ref`,
    ]);
  });

  test("lists of names in dependencies are not read as schemas", () => {
    expect(warn({ dependencies: { a: ["pattern", "$ref"], $ref: ["b"] } })).toEqual([]);
  });

  test("a value that is no schema is refused once", () => {
    const issues = (keywords: object): string[] => {
      const schema = { type: "object", additionalProperties: false, ...keywords };
      const parsed = parseManifest(manifestOf({ tools: [toolOf("a", { input_schema: schema as never })] }));
      return parsed.ok ? [] : parsed.issues.map(({ path }) => path.replace("/tools/0/input_schema", ""));
    };
    const wrong = { a: { definitions: { deep: { minLength: -1 } } }, b: 1 };
    expect(issues({ definitions: wrong })).toEqual(["/definitions/a/definitions/deep/minLength", "/definitions/b"]);
    expect(issues({ dependencies: { ...wrong, c: ["x", "x"], d: ["x"] } }).toSorted()).toEqual([
      "/dependencies/a/definitions/deep/minLength",
      "/dependencies/b",
      "/dependencies/c",
    ]);
  });
});

describe("references into a schema that carries its own $id", () => {
  const resource = { $id: "https://e.example/x", $anchor: "here", $defs: { a: { type: "string" } } };
  const to = ($ref: string, $id = resource.$id): string[] =>
    warn({ $defs: { x: { ...resource, $id } }, properties: { a: { $ref } } });

  test.each(["", "#", "#/$defs/a", "#here"])("are followed: %j", (fragment) => {
    expect(to(`https://e.example/x${fragment}`)).toEqual([]);
    expect(to(`https://e.example/x${fragment}`, "https://e.example/x#")).toEqual([]);
  });

  test("lead nowhere or out of the manifest", () => {
    expect(to("https://e.example/x#/$defs/none")).toEqual(["INPUT_SCHEMA_UNRESOLVED_REF /properties/a/$ref"]);
    expect(to("https://e.example/x#nothing")).toEqual(["INPUT_SCHEMA_UNRESOLVED_REF /properties/a/$ref"]);
    expect(to("https://e.example/y#/$defs/a")).toEqual(["INPUT_SCHEMA_REMOTE_REF /properties/a/$ref"]);
    expect(to("constructor")).toEqual(["INPUT_SCHEMA_REMOTE_REF /properties/a/$ref"]);
  });

  test("pointers within it start there, not at the root", () => {
    const inside = { ...resource, properties: { v: { $ref: "#/$defs/a" }, w: { $ref: "#/$defs/x" } } };
    expect(warn({ $defs: { x: inside } })).toEqual(["INPUT_SCHEMA_UNRESOLVED_REF /$defs/x/properties/w/$ref"]);
  });

  test("rings through an $id or an anchor are found", () => {
    expect(warn({ $defs: { a: { $id: "urn:a", $ref: "urn:b" }, b: { $id: "urn:b", $ref: "urn:a" } } })).toEqual([
      "INPUT_SCHEMA_REF_CYCLE /$defs/a/$ref",
      "INPUT_SCHEMA_REF_CYCLE /$defs/b/$ref",
    ]);
    expect(warn({ $defs: { a: { $anchor: "a", $ref: "#a" } } })).toEqual(["INPUT_SCHEMA_REF_CYCLE /$defs/a/$ref"]);
  });
});
