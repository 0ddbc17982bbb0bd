import { type JsonValue, toPointer } from "@agentprint/canonical-json";
import { keywordsOf } from "@agentprint/json-schema";
import { runs } from "@agentprint/testing/property-runs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkSchema } from "../src/schema/check-schema.ts";

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
const judge = ajv.getSchema("https://json-schema.org/draft/2020-12/schema");
if (!judge) throw new Error("ajv has no meta-schema");

/** Returns where ajv reports an error: each place that has an error without errors below it. */
function ajvPlaces(value: JsonValue): { readonly all: readonly string[]; readonly deepest: readonly string[] } {
  if (judge?.(value)) return { all: [], deepest: [] };
  const all = [...new Set((judge?.errors ?? []).map(({ instancePath }) => instancePath))];
  return { all, deepest: all.filter((place) => !all.some((other) => other.startsWith(`${place}/`))) };
}

/** Returns where the checker reports an error. The meta-schema does not say which dialect a schema may name. */
function places(value: JsonValue): string[] {
  const issues = checkSchema(value, [], Number.POSITIVE_INFINITY);
  return issues.filter(({ code }) => code === "INPUT_SCHEMA_INVALID").map(({ path }) => toPointer(path));
}

function expectSamePlaces(value: JsonValue): void {
  const { all, deepest } = ajvPlaces(value);
  const found = places(value);
  expect(all, JSON.stringify(value)).toEqual(expect.arrayContaining(found));
  expect(found, JSON.stringify(value)).toEqual(expect.arrayContaining([...deepest]));
}

/** Every keyword in the meta-schema and its vocabularies, the keywords of earlier drafts, and meaningless names. */
const KEYWORDS = [...keywordsOf().map(({ name }) => name), "constructor", "__proto__", "toString", "x"];

const VALUES: JsonValue[] = [
  ...[null, true, false, 0, -0, 1, -1, 0.5, 1e300, 7],
  ...["", "string", "strng", "#", "a#", "#a", "a#b", "a#\n", "_a.b-1", "1a", "a b", "^(", "https://example.com/a", "é"],
  ...[[], [[]], [true], [{}], [1], [null], ["a"], ["a", "b"], ["a", "a"], ["string", "null"], ["string", "string"]],
  ...[
    ["string", "strng"],
    [{}, 1],
    [{ type: "x" }],
    ["array", "boolean", "integer", "null", "number", "object", "string"],
  ],
  ...[
    {},
    { a: {} },
    { a: true },
    { a: 1 },
    { a: null },
    { a: ["b"] },
    { a: ["b", "b"] },
    { a: [] },
    { a: { type: 1 } },
  ],
  JSON.parse('{"__proto__": 1}'),
  JSON.parse('{"__proto__": {}}'),
];

const schemas = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "medium" },
    fc.boolean(),
    fc.dictionary(
      fc.constantFrom(...KEYWORDS),
      fc.oneof(
        { arbitrary: fc.constantFrom(...VALUES), weight: 2 },
        { arbitrary: tie("schema"), weight: 4 },
        { arbitrary: fc.array(tie("schema"), { maxLength: 3 }), weight: 3 },
        {
          arbitrary: fc.dictionary(fc.constantFrom("a", "b", "type", "__proto__"), tie("schema"), { maxKeys: 2 }),
          weight: 3,
        },
        { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 },
      ),
      { maxKeys: 4 },
    ),
  ),
}));

/**
 * Returns the value as from a parser, with only own members, including `__proto__`. It omits cases that ajv treats
 * differently: ajv checks the items of a list of more than seven types, and calls a member named `toString`.
 */
const parsed = (value: unknown): JsonValue =>
  JSON.parse(JSON.stringify(value), (key, item) => {
    if (key === "toString") return undefined;
    return key === "type" && Array.isArray(item) ? item.slice(0, 7) : item;
  });

describe("errors are at the places where ajv, which evaluates the meta-schema itself, finds them", () => {
  test.each(KEYWORDS)("%s with each value", (keyword) => {
    for (const value of VALUES) {
      expectSamePlaces(JSON.parse(`{${JSON.stringify(keyword)}: ${JSON.stringify(value)}}`));
    }
  });

  test.each(VALUES.map((value) => [JSON.stringify(value), value] as const))("%s by itself", (_text, value) => {
    expectSamePlaces(value);
  });

  test("schemas of any nesting", () => {
    const verdicts = new Set<boolean>();
    fc.assert(
      fc.property(schemas.schema, (value) => {
        const schema = parsed(value);
        verdicts.add(places(schema).length === 0);
        expectSamePlaces(schema);
      }),
      { numRuns: runs(300) },
    );
    expect(verdicts.size).toBe(2);
  });
});

test("a list of more types than exist is one error", () => {
  expect(places({ type: Array.from({ length: 8 }, () => 1) })).toEqual(["/type"]);
});

test("a check ends when it has found as many issues as are enough", () => {
  const schema = { allOf: [1, 2, 3, { type: "strng" }] };
  expect(checkSchema(schema, ["at"], 2)).toEqual([
    {
      code: "INPUT_SCHEMA_INVALID",
      path: ["at", "allOf", 0],
      message: "JSON Schema Draft 2020-12 expects a schema, which is an object or a boolean, received 1",
    },
    {
      code: "INPUT_SCHEMA_INVALID",
      path: ["at", "allOf", 1],
      message: "JSON Schema Draft 2020-12 expects a schema, which is an object or a boolean, received 2",
    },
  ]);
});
