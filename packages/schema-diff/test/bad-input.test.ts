import { describe, expect, test } from "vitest";
import { compareSchemas, SchemaDiffError } from "../src/index.ts";

const input = { direction: "input" } as const;

function nested(levels: number, wrap: (inner: unknown) => unknown, leaf: unknown): unknown {
  let schema = leaf;
  for (let i = 0; i < levels; i++) schema = wrap(schema);
  return schema;
}

/** Definitions that each use the next one twice: 2^levels applications. */
function doubling(levels: number, use: (next: object) => unknown, leaf: unknown): object {
  const $defs: Record<string, unknown> = { [`d${levels}`]: leaf };
  for (let i = 0; i < levels; i++) $defs[`d${i}`] = use({ $ref: `#/$defs/d${i + 1}` });
  return { $ref: "#/$defs/d0", $defs };
}

const error = (code: string, path: string, schema = "before") => expect.objectContaining({ code, path, schema });
const compare = (before: unknown, after: unknown) => compareSchemas(before, after, input);

/** 1,100 properties, each of which must match the same 1,000 patterns. */
const crowded = {
  $defs: { all: { allOf: Array.from({ length: 1000 }, (_, i) => ({ pattern: `a${i}` })) } },
  properties: Object.fromEntries(
    Array.from({ length: 1100 }, (_, i) => [`p${i}`, { $ref: "#/$defs/all", minimum: i }]),
  ),
};

describe("what is no schema", () => {
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
    ["a nullable that is no flag", { type: "string", nullable: "yes" }, "invalid-schema", "/nullable"],
    ["an alternative that is no schema", { anyOf: [{}, 1] }, "invalid-schema", "/anyOf/1"],
    ["a pattern that is no text", { pattern: 1 }, "invalid-schema", "/pattern"],
    ["a format that is no text", { format: {} }, "invalid-schema", "/format"],
    ["a flag that is none", { uniqueItems: 1 }, "invalid-schema", "/uniqueItems"],
    ["a count that is a fraction", { contains: {}, minContains: 0.5 }, "invalid-schema", "/minContains"],
    ["a very long value", { minimum: "x".repeat(500) }, "invalid-schema", "/minimum"],
    ["text beyond a megabyte", { const: "x".repeat(1 << 20) }, "schema-too-large", ""],
    ["a million demands on one value each", crowded, "schema-too-large", ""],
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

describe("schemas made to take forever are decided or given up after a counted number of steps", () => {
  const object = (type: string) => ({ type: "object", properties: { a: { type } }, required: ["a"] });
  const both = (next: object) => ({ type: "object", required: ["x", "y"], properties: { x: next, y: next } });
  const clauses = (count: number) => ({
    type: "object",
    allOf: Array.from({ length: count }, (_, i) => ({
      anyOf: [{ required: [`a${i}`] }, { required: [`b${i}`] }, { required: [`c${(i * 7) % count}`] }],
    })),
  });

  test.each([
    ["doubled allOf", (t: string) => doubling(60, (next) => ({ allOf: [next, next] }), object(t)), "unconfirmed"],
    ["doubled anyOf", (t: string) => doubling(60, (next) => ({ anyOf: [next, next] }), object(t)), "budget"],
    ["doubled oneOf", (t: string) => doubling(60, (next) => ({ oneOf: [next, next] }), object(t)), "budget"],
    ["doubled members", (t: string) => doubling(40, both, { type: t }), "budget"],
    [
      "a long chain of members",
      (t: string) => doubling(400, (next) => ({ properties: { a: next } }), { type: t }),
      "not-proven",
    ],
    [
      "patterns for every name",
      (t: string) => ({
        patternProperties: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`^p${i}`, { type: t }])),
      }),
      "not-proven",
    ],
    [
      "a long tuple",
      (t: string) => ({ type: "array", prefixItems: Array.from({ length: 500 }, () => ({ type: t })) }),
      "not-proven",
    ],
  ])("%s", (_, schemaOf, code) => {
    const { verdict, notes } = compare(schemaOf("string"), schemaOf("integer"));
    expect(verdict).toBe("unknown");
    expect(notes).toEqual([{ code, path: "", message: expect.any(String) }]);
  });

  test("a satisfiability problem", () => {
    const { verdict } = compareSchemas(clauses(30), { ...clauses(30), minProperties: 31 }, { direction: "output" });
    expect(verdict).toBe("unknown");
  });

  test("an automaton with 2^20 states", () => {
    const [before, after] = ["(a|b)*a(a|b){20}$", "(a|b)*b(a|b){20}$"].map((pattern) => ({ type: "string", pattern }));
    expect(compare(before, after).verdict).toBe("unknown");
  });

  test("schemas 120 levels deep are compared like any other", () => {
    const deep = (type: string) => nested(120, (inner) => ({ properties: { a: inner } }), { type });
    const { verdict, changes } = compare(deep("string"), deep("integer"));
    expect(verdict).toBe("breaking");
    expect(changes).toHaveLength(1);
  });

  test("a hundred alternatives, one added", () => {
    const anyOf = Array.from({ length: 100 }, (_, i) => ({
      type: "object",
      properties: { kind: { const: i } },
      required: ["kind"],
    }));
    expect(compare({ anyOf: anyOf.slice(1) }, { anyOf }).verdict).toBe("compatible");
    expect(compare({ anyOf }, { anyOf: anyOf.slice(1) }).counterexample?.value).toEqual({ kind: 0 });
  });
});

describe("patterns made to backtrack", () => {
  const evil = ["^(a+)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "^(a|a|a)*b$", "(x+x+)+y", "^(.*)*$"];

  test.each(evil)("%s is judged by an automaton, also by ajv", (pattern) => {
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
    ["what is malformed with the flag u", "^[\\w-.]+$"],
    ["what is malformed anyway", "("],
    ["a thousand times a thousand", "(a{1000}){1000}"],
    ["thousands of characters", "a".repeat(3000)],
  ])("%s is not judged, and told", (_, pattern) => {
    const { verdict, notes } = compare({ type: "string" }, { type: "string", pattern });
    expect(verdict).toBe("unknown");
    expect(notes.map(({ code, schema, path }) => ({ code, schema, path }))).toEqual([
      { code: "pattern", schema: "after", path: "/pattern" },
    ]);
    expect(compare({ type: "string", pattern, minLength: 1 }, { type: "string", pattern }).verdict).toBe("compatible");
  });
});

describe("references", () => {
  test("nothing is fetched, and a reference that would be is told even when nothing changed", () => {
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

  test("an $id in data is no $id", () => {
    const schema = (type: string) => ({
      $id: "https://example.com/",
      $ref: "b",
      $defs: { b: { $id: "b", type } },
      examples: [{ $id: "b" }],
    });
    expect(compare(schema("integer"), schema("number")).verdict).toBe("compatible");
  });
});

describe("names of the prototype", () => {
  const schema = (text: string): unknown => JSON.parse(text);

  test("are names like any other", () => {
    const before = schema(
      '{"type":"object","properties":{"constructor":{"type":"string"}},"required":["constructor"]}',
    );
    const after = schema('{"type":"object","properties":{"constructor":{"type":"number"}},"required":["constructor"]}');
    expect(compare(before, after).counterexample?.value).toEqual({ constructor: "" });
    expect(compare({}, { required: ["toString"] }).counterexample?.value).toEqual({});
  });

  test("ajv ignores __proto__, so that a break there is not confirmed; no prototype changes", () => {
    const before = schema('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    const after = schema('{"type":"object","properties":{"__proto__":{"type":"number"}}}');
    const { verdict, changes, notes } = compare(before, after);
    expect(verdict).toBe("unknown");
    expect(changes.map(({ path }) => path)).toEqual(["/properties/__proto__/type"]);
    expect(notes.map(({ code }) => code)).toEqual(["unconfirmed"]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("a changed prototype gives no keywords", () => {
    const inherited = Object.create({ type: "string" }) as object;
    expect(compare(inherited, {})).toMatchObject({ verdict: "compatible", changes: [] });
  });
});
