import { describe, expect, test } from "vitest";
import { compareSchemas, SchemaDiffError } from "../src/index.ts";
import { compareInput as compare } from "./support/compare.ts";
import { nested } from "./support/nested.ts";

const input = { direction: "input" } as const;

const error = (code: string, path: string, schema = "before") => expect.objectContaining({ code, path, schema });

/** A schema of 1,100 properties, each of which must match the same 1,000 patterns. */
const crowded = {
  $defs: { all: { allOf: Array.from({ length: 1000 }, (_, i) => ({ pattern: `a${i}` })) } },
  properties: Object.fromEntries(
    Array.from({ length: 1100 }, (_, i) => [`p${i}`, { $ref: "#/$defs/all", minimum: i }]),
  ),
};

const longNamed = {
  properties: { ["k".repeat(30_000)]: { allOf: Array.from({ length: 1000 }, () => ({ type: "string" })) } },
};

describe("an argument that is not a schema is refused", () => {
  const circular: Record<string, unknown> = {};
  circular["items"] = circular;

  test.each([
    ["undefined", undefined, "not-json", ""],
    ["a function inside", { default: () => 1 }, "not-json", "/default"],
    ["NaN", { minimum: Number.NaN }, "not-json", "/minimum"],
    ["a lone surrogate", { const: "\ud800" }, "not-json", "/const"],
    ["a Map", { properties: new Map() }, "not-json", "/properties"],
    ["null", null, "invalid-schema", ""],
    ["a list", [], "invalid-schema", ""],
    ["a type that does not exist", { properties: { a: { type: "text" } } }, "invalid-schema", "/properties/a/type"],
    ["a list of types with a number", { type: [1] }, "invalid-schema", "/type"],
    ["a nullable that is not a boolean", { type: "string", nullable: "yes" }, "invalid-schema", "/nullable"],
    ["an alternative that is not a schema", { anyOf: [{}, 1] }, "invalid-schema", "/anyOf/1"],
    ["a pattern that is not a string", { pattern: 1 }, "invalid-schema", "/pattern"],
    ["a format that is not a string", { format: {} }, "invalid-schema", "/format"],
    ["a uniqueItems that is not a boolean", { uniqueItems: 1 }, "invalid-schema", "/uniqueItems"],
    ["a count that is a fraction", { contains: {}, minContains: 0.5 }, "invalid-schema", "/minContains"],
    ["a very long value", { minimum: "x".repeat(500) }, "invalid-schema", "/minimum"],
    ["text beyond a megabyte", { const: "x".repeat(1 << 20) }, "schema-too-large", ""],
    ["a million constraints, each on one value", crowded, "schema-too-large", ""],
    ["a long name above thousands of schemas", longNamed, "schema-too-large", ""],
  ])("%s", (_, schema, code, path) => {
    expect(() => compare(schema, {})).toThrow(error(code, path));
    expect(() => compare({}, schema)).toThrow(error(code, path, "after"));
    expect(() => compare(schema, {})).toThrow(SchemaDiffError);
  });

  test("a schema in a cycle, or a million levels deep", () => {
    expect(() => compare(circular, {})).toThrow(expect.objectContaining({ code: "schema-too-deep" }));
    const deep = nested(1_000_000, (inner) => ({ items: inner }), {});
    expect(() => compare(deep, {})).toThrow(expect.objectContaining({ code: "schema-too-deep" }));
  });

  test("a getter that throws", () => {
    const schema = {
      get type(): string {
        throw new Error("no");
      },
    };
    expect(() => compare(schema, {})).toThrow(error("not-json", "/type"));
  });

  test("a direction that does not exist", () => {
    const options = { direction: "sideways" } as unknown as typeof input;
    expect(() => compareSchemas({}, {}, options)).toThrow(expect.objectContaining({ code: "invalid-direction" }));
  });

  test("a message says what was expected and received, and where", () => {
    expect(() => compare({ properties: { a: { minLength: -1 } } }, {})).toThrow(
      "the schema before at /properties/a/minLength: expected a whole number from 0, received -1",
    );
  });

  test("references through 10,000 definitions", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }]),
    );
    expect(() => compare({ $ref: "#/$defs/d0", $defs }, {})).toThrow(
      expect.objectContaining({ code: "schema-too-deep" }),
    );
  });
});

describe("patterns made to backtrack", () => {
  const evil = ["^(a+)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "^(a|a|a)*b$", "(x+x+)+y", "^(.*)*$"];

  test.each(evil)("%s is judged by an automaton, in the confirmation as well", (pattern) => {
    const long = { type: "string", pattern, minLength: 5000 };
    expect(compare({ type: "string", minLength: 5000 }, long).verdict).not.toBe("unknown");
    expect(compare(long, { type: "string", pattern }).verdict).toBe("compatible");
  });

  test.each([
    ["a look-ahead", "^(?=a)"],
    ["a back-reference", "(a)\\1"],
    ["a word boundary", "\\ba"],
    ["a property escape", "\\p{L}"],
    ["a modifier", "(?i:a)"],
    ["a pattern that is malformed with the flag u", "^[\\w-.]+$"],
    ["a pattern that is malformed with any flags", "("],
    ["a thousand times a thousand", "(a{1000}){1000}"],
    ["thousands of characters", "a".repeat(3000)],
  ])("%s is not judged, and a note says so", (_, pattern) => {
    const { verdict, notes } = compare({ type: "string" }, { type: "string", pattern });
    expect(verdict).toBe("unknown");
    expect(notes.map(({ code, schema, path }) => ({ code, schema, path }))).toEqual([
      { code: "pattern", schema: "after", path: "/pattern" },
    ]);
    expect(compare({ type: "string", pattern, minLength: 1 }, { type: "string", pattern }).verdict).toBe("compatible");
  });
});

describe("references", () => {
  test("nothing is fetched, and a remote reference is noted even when nothing changed", () => {
    const schema = { properties: { a: { $ref: "https://example.com/a.json" } } };
    const note = { code: "remote-ref", path: "/properties/a/$ref", message: expect.stringContaining("not fetched") };
    const expected = {
      verdict: "compatible",
      changes: [],
      notes: [
        { ...note, schema: "before" },
        { ...note, schema: "after" },
      ],
    };
    expect(compare(schema, structuredClone(schema))).toEqual(expected);
  });

  test.each(["#/$defs/none", "#nowhere", "#/%zz", "http://[", "#/constructor"])("%s leads nowhere", ($ref) => {
    const { verdict, notes } = compare({ $ref }, { type: "string" });
    expect(verdict).toBe("unknown");
    expect(notes).toContainEqual(expect.objectContaining({ code: "unresolved-ref", path: "/$ref" }));
  });

  test("a name that a pointer has to escape", () => {
    const schema = (type: string) => ({ $ref: "#/$defs/a~1b%25%20~0", $defs: { "a/b% ~": { type } } });
    expect(compare(schema("integer"), schema("number")).verdict).toBe("compatible");
  });

  test("an anchor as draft-07 wrote it", () => {
    const schema = (type: string) => ({
      $schema: "http://json-schema.org/draft-07/schema#",
      $ref: "#a",
      definitions: { x: { $id: "#a", type } },
    });
    expect(compare(schema("integer"), schema("number")).verdict).toBe("compatible");
  });

  test("an $id in data does not name a schema", () => {
    const schema = (type: string) => ({
      $id: "https://example.com/",
      $ref: "b",
      $defs: { b: { $id: "b", type } },
      examples: [{ $id: "b" }],
    });
    expect(compare(schema("integer"), schema("number")).verdict).toBe("compatible");
  });
});

test("a reference of 400,000 segments leads nowhere", () => {
  const { verdict, notes } = compare({ $ref: `#${"/".repeat(400_000)}` }, { type: "string" });
  expect([verdict, notes[0]?.code]).toEqual(["unknown", "unresolved-ref"]);
});

describe("names of the prototype", () => {
  const schema = (text: string): unknown => JSON.parse(text);

  test("are treated like any other name", () => {
    const before = schema(
      '{"type":"object","properties":{"constructor":{"type":"string"}},"required":["constructor"]}',
    );
    const after = schema('{"type":"object","properties":{"constructor":{"type":"number"}},"required":["constructor"]}');
    expect(compare(before, after).counterexample?.value).toEqual({ constructor: "a" });
    expect(compare({}, { required: ["toString"] }).counterexample?.value).toEqual({});
  });

  test("a break at __proto__ is found as at any other name, and no prototype is changed", () => {
    const before = schema('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    const after = schema('{"type":"object","properties":{"__proto__":{"type":"number"}}}');
    const { verdict, changes, counterexample } = compare(before, after);
    expect(verdict).toBe("breaking");
    expect(changes.map(({ path }) => path)).toEqual(["/properties/__proto__/type"]);
    expect(JSON.stringify(counterexample?.value)).toBe('{"__proto__":"a"}');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("a changed prototype adds no keywords", () => {
    const inherited = Object.assign(Object.create({ type: "string" }) as object, { title: "x" });
    expect(compare(inherited, { title: "x" })).toMatchObject({ verdict: "compatible", changes: [] });
  });
});

describe("names that Node 24 can misread (nodejs/node#63785)", () => {
  test("a backslash and a line feed are read as two names", () => {
    const closed = (name: string) => ({
      additionalProperties: false,
      properties: { a: {}, [`a${name}`]: {} },
    });
    for (let round = 0; round < 20; round++) {
      expect(compare(closed("\\"), closed("\n")).verdict).toBe("breaking");
    }
  });
});
