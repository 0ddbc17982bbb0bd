import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acceptsValue, compareSchemas, SchemaDiffError, StepBudget } from "../../src/index.ts";
import { doubledReferences, hostilePair, hostileValue, many, members } from "../support/hostile.ts";
import { nested } from "../support/nested.ts";

/**
 * The number of steps for one comparison here, and the allowed excess, because schemas' text is read before it can be
 * refused.
 */
const STEPS = 150_000;
const BEYOND = 40_000;

/** Returns the answer of a job with a budget; a typed error is an answer, too. */
function answerOf<T>(job: (budget: StepBudget) => T): T | string {
  const budget = new StepBudget(STEPS);
  try {
    return job(budget);
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    return error.code;
  } finally {
    expect(budget.left).toBeGreaterThan(-BEYOND);
  }
}

const compare = (before: unknown, after: unknown) => compareSchemas(before, after, { direction: "input" });
const object = (name: string) => (i: number) => ({ [name]: i });
const S = { type: "string" };

describe("a verdict that would take too many steps to confirm is unknown", () => {
  const list = { const: many(20_000, object("a")) };

  test.each<[string, unknown, unknown]>([
    ["objects against objects", list, { contains: { enum: many(20_000, object("b")) } }],
    [
      "the same in a member",
      { properties: { x: list }, required: ["x"] },
      {
        properties: { x: { contains: { enum: many(20_000, object("b")) } } },
        required: ["x"],
      },
    ],
    [
      "a text with thousands of lengths",
      { const: "x".repeat(100_000) },
      {
        anyOf: many(3000, (i) => ({ minLength: 200_000 + i })),
      },
    ],
    [
      "references that only a run can follow, each twice",
      { required: ["a"] },
      {
        ...doubledReferences(60, "$dynamicRef", "allOf"),
        required: ["b"],
      },
    ],
  ])("%s", (_, before, after) => {
    expect(compare(before, after).verdict).toBe("unknown");
  });

  test.each<[string, unknown, unknown]>([
    ["every object with every other", list, { uniqueItems: true, maxItems: 3 }],
    ["every number with every other", { const: many(40_000, Number) }, { uniqueItems: true, maxItems: 3 }],
    [
      "an object with thousands of sizes",
      { const: members(5000, "k", Number) },
      {
        anyOf: many(900, (i) => ({ minProperties: 6000 + i })),
      },
    ],
    [
      "thousands of references to other documents",
      { required: ["a"] },
      {
        properties: members(3000, "p", (i) => ({ $ref: `https://example.com/${i}` })),
        required: ["b"],
      },
    ],
    [
      "code nested deeper than an engine may take",
      { required: ["a"] },
      {
        allOf: many(2000, () => ({ not: { type: "null" } })),
        required: ["b"],
      },
    ],
    [
      "alternatives that each evaluate a thousand names",
      { required: ["a"] },
      {
        anyOf: many(900, () => ({ $ref: "#/$defs/e" })),
        $defs: { e: { properties: members(900, "p", () => true) } },
        required: ["b"],
      },
    ],
  ])("but not: %s", (_, before, after) => {
    expect(compare(before, after).verdict).toBe("breaking");
  });

  test("schemas of the size of real ones are confirmed", () => {
    const before = { enum: many(1000, (i) => `v${i}`) };
    expect(compare(before, { enum: many(999, (i) => `v${i}`) }).counterexample?.value).toBe("v999");
    const wide = { properties: members(700, "p", () => ({ anyOf: [S, { type: "null" }] })) };
    expect(compare(wide, { ...wide, required: ["p1"] }).verdict).toBe("breaking");
    expect(compare({ const: many(200, object("a")) }, { uniqueItems: true, maxItems: 9 }).verdict).toBe("breaking");
  });
});

describe("schemas that multiply the work of compiling or comparing stop when the steps are used up", () => {
  const $defs = { e: { enum: many(5000, (i) => `e${i}`) }, p: { properties: members(3000, "e", () => S) } };
  const large = (tag: string, keywords: object) => ({ ...keywords, $defs, required: [tag] });
  const E = { $ref: "#/$defs/e" };
  const P = { $ref: "#/$defs/p" };

  test.each<[string, (tag: string) => unknown]>([
    [
      "a large list in thousands of unions",
      (t) => large(t, { anyOf: many(2000, (i) => ({ anyOf: [E, { const: i }] })) }),
    ],
    [
      "a large list in thousands of intersections",
      (t) =>
        large(t, {
          anyOf: many(2000, (i) => ({ allOf: [E, { enum: many(3, (j) => `e${i + j}`) }] })),
        }),
    ],
    [
      "a large list in thousands of schemas",
      (t) =>
        large(t, {
          properties: members(3000, "p", (i) => ({ ...E, ...S, minLength: i })),
        }),
    ],
    [
      "many members in thousands of schemas",
      (t) =>
        large(t, {
          properties: members(3000, "p", (i) => ({ ...P, minProperties: i })),
        }),
    ],
    [
      "one place under thousands of pointers",
      (t) =>
        large(t, {
          allOf: [{ not: E }],
          properties: members(3000, "p", (i) => ({ $ref: `#/allOf/0.${"0".repeat(i % 90)}` })),
        }),
    ],
    [
      "a long base for thousands of URIs",
      (t) =>
        large(t, {
          $id: `https://example.com/${"a".repeat(60_000)}/`,
          properties: members(2000, "p", (i) => ({ $id: `b${i}`, $ref: "#" })),
        }),
    ],
    [
      "thousands of large patterns",
      (t) =>
        large(t, {
          properties: members(2000, "p", (i) => ({ pattern: `^${i}(a{50}){55}` })),
        }),
    ],
    [
      "thousands of divisors",
      (t) => ({ type: "number", allOf: many(4000, (i) => ({ multipleOf: i + t.length * 5000 })) }),
    ],
    [
      "thousands of patterns that are not compared",
      (t) => ({ allOf: many(4000, (i) => ({ pattern: `(?=${t}${i})` })) }),
    ],
    [
      "thousands of alternatives",
      (t) => ({ anyOf: many(4000, (i) => ({ required: [`${t}${i}`], minProperties: i })) }),
    ],
    [
      "thousands of alternatives of which one holds",
      (t) => ({ oneOf: many(4000, (i) => ({ required: [`${t}${i}`] })) }),
    ],
    ["thousands of exclusions", (t) => ({ not: { anyOf: many(4000, (i) => ({ required: [`${t}${i}`] })) } })],
    [
      "disjunctions next to thousands of names",
      (t) => ({
        required: many(5000, (i) => `r${i}`),
        allOf: many(1000, (i) => ({ anyOf: [{ required: [`a${i}`] }, { required: [`b${i}`] }] })),
        minProperties: t.length * 100_000,
      }),
    ],
  ])("%s", (_, schemaOf) => {
    for (const [before, after] of [
      ["a", "bb"],
      ["bb", "a"],
    ] as const) {
      const answer = answerOf((budget) =>
        compareSchemas(schemaOf(before), schemaOf(after), { direction: "input", budget }),
      );
      expect(typeof answer === "string" ? answer : answer.verdict).toMatch(/^(unknown|schema-too-large)$/);
    }
  });

  test("disjunctions in disjunctions do not overflow the stack", () => {
    const deep = (tag: string) => ({
      allOf: many(25, (i) =>
        nested(110, (inner) => ({ anyOf: [inner, { minProperties: 900 + i }] }), { required: [`${tag}${i}`] }),
      ),
    });
    expect(compare({ type: "object", ...deep("a") }, { type: "object", ...deep("b") }).verdict).toBe("unknown");
  });
});

test("two hard schemas are compared within the steps, or the verdict is unknown", () => {
  const verdicts = new Set<string>();
  fc.assert(
    fc.property(hostilePair, fc.constantFrom("any" as const, "objects" as const), ([before, after], values) => {
      const answer = answerOf((budget) => compareSchemas(before, after, { direction: "input", budget, values }));
      verdicts.add(typeof answer === "string" ? answer : answer.verdict);
    }),
    { numRuns: 40, seed: 15 },
  );
  expect([...verdicts]).toEqual(expect.arrayContaining(["breaking", "compatible", "unknown"]));
});

test("a large value is judged by a hard schema within the steps, or the verdict is unknown", () => {
  const answers = new Set<string>();
  fc.assert(
    fc.property(hostilePair, hostileValue, ([schema], value) => {
      answers.add(answerOf((budget) => acceptsValue(schema, value, { budget }).verdict));
    }),
    { numRuns: 40, seed: 15 },
  );
  expect([...answers]).toEqual(expect.arrayContaining(["accepts", "rejects", "unknown"]));
});
