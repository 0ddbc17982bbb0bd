import { fromPointer, type JsonValue } from "@agentprint/canonical-json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  acceptsValue,
  createValueEvaluator,
  createValueJudge,
  SchemaDiffError,
  StepBudget,
  type ValueVerdict,
} from "../src/index.ts";
import { samplesOf } from "./support/samples.ts";
import { pair, type Schema } from "./support/schemas.ts";
import { disputesOf, isJudged } from "./support/validators.ts";

const numRuns = Number(process.env["SCHEMA_DIFF_RUNS"] ?? 150);

function placesOf(schema: unknown, value: unknown): string[] {
  const result = acceptsValue(schema, value);
  return result.verdict === "rejects"
    ? result.places.map((place) => `${place.valuePath} ${place.path}`)
    : [result.verdict];
}

function codesOf(result: ValueVerdict): string[] {
  return result.verdict === "unknown" ? result.notes.map(({ code, path }) => `${code} ${path}`) : [result.verdict];
}

describe("two other validators agree", () => {
  test("with every verdict, and each rejected place exists in the value and in the schema", () => {
    const verdicts = { accepts: 0, rejects: 0, unknown: 0 };
    fc.assert(
      fc.property(pair, fc.nat(), ([schema, other], seed) => {
        const [judge, judgeParsed] = [createValueEvaluator(schema), createValueEvaluator(schema, { areParsed: true })];
        const bare = createValueJudge(schema, new StepBudget(1e8));
        for (const value of samplesOf([schema, other], seed, 10).filter((_, i) => i % 7 === seed % 7)) {
          const result = acceptsValue(schema, value);
          expect([judge(value), judgeParsed(value), bare(value)]).toEqual([result, result, result.verdict]);
          verdicts[result.verdict]++;
          const hasVerdicts = result.verdict !== "unknown" && isJudged(schema, value);
          const disputes = hasVerdicts ? disputesOf(schema, value, result.verdict === "accepts") : [];
          expect([schema, value, disputes]).toEqual([schema, value, []]);
          if (result.verdict === "unknown") expect(result.notes.length).toBeGreaterThan(0);
          for (const place of result.verdict === "rejects" ? result.places : []) {
            expect([schema, place, exists(value, place.valuePath), exists(schema, place.path)]).toEqual([
              schema,
              place,
              true,
              true,
            ]);
          }
        }
      }),
      { numRuns },
    );
    const all = verdicts.accepts + verdicts.rejects + verdicts.unknown;
    expect(Math.min(verdicts.accepts, verdicts.rejects)).toBeGreaterThan(all * 0.05);
    expect(verdicts.unknown).toBeLessThan(all * 0.2);
  });

  test("with the places: without the members at the places, the value is not rejected for them", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b", "c"), fc.oneof(fc.integer(), fc.string())), (value) => {
        const schema: Schema = { properties: { a: { type: "string" }, b: { type: "string" }, c: { type: "string" } } };
        const result = acceptsValue(schema, value);
        const named = new Set(result.verdict === "rejects" ? result.places.map((p) => p.valuePath.slice(1)) : []);
        const wrong = Object.keys(value).filter((name) => typeof value[name] === "number");
        expect([...named].sort()).toEqual(wrong.sort());
      }),
      { numRuns },
    );
  });
});

function exists(document: unknown, pointer: string): boolean {
  let value = document;
  for (const segment of fromPointer(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return false;
    value = (value as { readonly [name: string]: unknown })[segment];
  }
  return value !== undefined;
}

describe("a rejection lists", () => {
  const text = { type: "string" };
  test.each<[string, unknown, unknown, string[]]>([
    ["the type of the value", text, 1, [" /type"]],
    [
      "the schema whose keywords exclude a type together",
      { allOf: [{ type: ["string", "integer"] }, { type: ["string", "null"] }] },
      1,
      [" "],
    ],
    ["a schema that accepts nothing", { properties: { a: false } }, { a: 1 }, ["/a /properties/a"]],
    [
      "each member",
      { additionalProperties: text },
      { a: 1, b: "b", c: 2 },
      ["/a /additionalProperties/type", "/c /additionalProperties/type"],
    ],
    [
      "a member that no keyword allows",
      { properties: { a: {} }, additionalProperties: false },
      { a: 1, b: 2 },
      ["/b /additionalProperties"],
    ],
    ["a member by a pattern", { patternProperties: { "^x": text } }, { a: 1, x: 1 }, ["/x /patternProperties/^x/type"]],
    [
      "each element",
      { prefixItems: [text], items: { minimum: 2 } },
      [1, 1, 2],
      ["/0 /prefixItems/0/type", "/1 /items/minimum"],
    ],
    ["a name that is missing", { required: ["a", "b"] }, { a: 1 }, [" /required"]],
    [
      "the target of a reference",
      { properties: { a: { $ref: "#/$defs/t" } }, $defs: { t: text } },
      { a: 1 },
      ["/a /$defs/t/type"],
    ],
    ["a keyword with alternatives", { anyOf: [{ maximum: 0 }, { minimum: 3 }] }, 1, [" /anyOf"]],
    [
      "the branch of a condition",
      conditional({ minimum: 3 }, { multipleOf: 2 }, { minimum: 1 }),
      5,
      [" /then/multipleOf"],
    ],
    ["the other branch", conditional({ minimum: 3 }, { multipleOf: 2 }, { minimum: 1 }), 0, [" /else/minimum"]],
    [
      "a condition that nobody can tell",
      conditional({ format: "email" }, { maxLength: 1 }, { maxLength: 1 }),
      "ab",
      [" /if"],
    ],
    ["a dependency", { dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, [" /dependentSchemas/a/required"]],
    [
      "all members of a name that has to be escaped",
      { properties: { "a/b": text } },
      { "a/b": 1 },
      ["/a~1b /properties/a~1b/type"],
    ],
  ])("%s", (_, schema, value, places) => {
    expect(placesOf(schema, value)).toEqual(places);
  });

  test("at most a hundred places", () => {
    expect(
      placesOf(
        { items: { type: "string" } },
        Array.from({ length: 500 }, (_, i) => i),
      ),
    ).toHaveLength(100);
  });

  test("the last of many elements, although the search takes many steps", () => {
    const schema = { items: { anyOf: Array.from({ length: 200 }, (_, i) => ({ minimum: 1e6 + i })) } };
    const value = [...Array.from({ length: 400 }, () => 1e9), 0];
    expect(acceptsValue(schema, value)).toEqual({
      verdict: "rejects",
      places: [{ valuePath: "/400", path: "/items/anyOf" }],
    });
  });
});

const DRAFT_7 = { $schema: "http://json-schema.org/draft-07/schema#" };

describe("what is encoded in a text", () => {
  const json = { contentEncoding: "base64", contentMediaType: "application/json" };

  test("is an annotation since 2019-09, and in draft-07 for what is no text", () => {
    expect(acceptsValue(json, "%").verdict).toBe("accepts");
    expect(acceptsValue({ ...DRAFT_7, ...json }, 1).verdict).toBe("accepts");
  });

  test("is decided in draft-07 only where validators that assert it accept the text", () => {
    const verdictOf = (schema: object, value: string) => acceptsValue({ ...DRAFT_7, ...schema }, value).verdict;
    expect([verdictOf(json, "MA=="), verdictOf(json, "0"), verdictOf(json, "e30=")]).toEqual([
      "accepts",
      "unknown",
      "unknown",
    ]);
    expect(verdictOf({ contentMediaType: "application/json" }, "0")).toBe("accepts");
    expect(verdictOf({ contentMediaType: "image/png" }, "0")).toBe("unknown");
    expect(verdictOf({ ...json, maxLength: 3 }, "MA==")).toBe("rejects");
  });
});

describe("the verdict unknown has a note for", () => {
  test.each<[string, unknown, unknown, string[]]>([
    ["a format", { properties: { a: { format: "email" } } }, { a: "x" }, ["format /properties/a/format"]],
    ["an encoding of draft-07", { ...DRAFT_7, contentEncoding: "base64" }, "%", ["content /contentEncoding"]],
    ["a reference that leads out of the document", { $ref: "https://example.com/a" }, 1, ["remote-ref /$ref"]],
    ["a pattern of which no automaton can be made", { pattern: "^(?=a)" }, "a", ["pattern /pattern"]],
    ["a number that validators divide in two ways", { multipleOf: 0.1 }, 0.3, ["not-proven "]],
  ])("%s", (_, schema, value, codes) => {
    expect(codesOf(acceptsValue(schema, value))).toEqual(codes);
  });

  test("a budget that is used up before or during the evaluation", () => {
    const items = Array.from({ length: 2000 }, (_, i) => i);
    expect(codesOf(acceptsValue({}, 1, { budget: new StepBudget(0) }))).toEqual(["budget "]);
    expect(createValueJudge({}, new StepBudget(0))(1)).toBe("unknown");
    expect(createValueJudge({ required: items.map(String) }, new StepBudget(1000))({})).toBe("unknown");
    const judgeAll = createValueJudge({ items: { minimum: 0 } }, new StepBudget(30_000));
    expect(Array.from({ length: 12 }, () => judgeAll(items)).at(-1)).toBe("unknown");
    expect(codesOf(acceptsValue({ items: { minimum: 0 } }, items, { maxSteps: 1000 }))).toEqual(["budget "]);
    expect(codesOf(acceptsValue({ required: items.map(String) }, {}, { maxSteps: 1000 }))).toEqual(["budget "]);
    const budget = new StepBudget(6000);
    expect(codesOf(acceptsValue({ items: { minimum: 0 } }, items, { budget }))).toEqual(["accepts"]);
    expect(codesOf(acceptsValue({ items: { minimum: 0 } }, items, { budget }))).toEqual(["budget "]);
  });

  test("a rejection by a schema that refers to nothing, which a validator may refuse as a whole", () => {
    const schema = { type: "string", $defs: { a: { $ref: "#/$defs/b" } } };
    expect(codesOf(acceptsValue(schema, 1))).toEqual(["unconfirmed "]);
  });
});

test("the places stand in the order of names, whoever parsed the value", () => {
  const result = createValueEvaluator({ additionalProperties: false }, { areParsed: true })({ b: 1, a: 1 });
  expect(result.verdict === "rejects" && result.places.map(({ valuePath }) => valuePath)).toEqual(["/a", "/b"]);
});

test.each<[string, unknown, unknown, string]>([
  [
    "a schema that is none",
    { type: "strng" },
    1,
    "invalid-schema schema /type the schema at /type: expected a type name",
  ],
  ["a value that is not JSON", {}, { a: 1n }, "not-json value /a the value at /a: expected JSON"],
  ["a value that is nested too deeply", {}, nested(300), "schema-too-deep value"],
])("%s throws", (_, schema, value, expected) => {
  try {
    acceptsValue(schema, value);
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    expect(`${error.code} ${error.schema} ${error.path} ${error.message}`).toContain(expected);
  }
});

/** A literal with a member `then` would be treated as a promise. */
function conditional(test: Schema, yes: Schema, no: Schema): Schema {
  return Object.fromEntries(Object.entries({ if: test, else: no }).concat([["then", yes]]));
}

function nested(levels: number): JsonValue {
  return Array.from({ length: levels }).reduce<JsonValue>((inner) => [inner], []);
}

test("a judge of many values has steps for each of them, and none for a schema that takes too many", () => {
  const judge = createValueEvaluator({ items: { type: "string" } }, { maxSteps: 400 });
  for (let i = 0; i < 100; i++) expect(judge(["a", "b"]).verdict).toBe("accepts");
  expect(codesOf(judge(Array.from({ length: 1000 }, () => "a")))).toEqual(["budget "]);
  expect(codesOf(createValueEvaluator({ items: { type: "string" } }, { maxSteps: 0 })(["a"]))).toEqual(["budget "]);
  expect(() => judge(1n)).toThrow(SchemaDiffError);
});
