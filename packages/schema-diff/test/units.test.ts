import { describe, expect, test } from "vitest";
import { StepBudget, withinBudget } from "../src/budget.ts";
import { compareSchemas } from "../src/compare-schemas.ts";
import { estimateCompile } from "../src/confirm/estimate-compile.ts";
import { estimateRun } from "../src/confirm/estimate-run.ts";
import { Evaluator } from "../src/evaluate.ts";
import { ALL } from "../src/kinds.ts";
import type { SchemaNode } from "../src/schema-graph.ts";

describe("a budget", () => {
  test("stops a computation, and hides no other error", () => {
    expect(withinBudget(() => new StepBudget(1).spend(1) ?? "done")).toBe("done");
    expect(withinBudget(() => new StepBudget(1).spend(2))).toBeUndefined();
    expect(() => withinBudget(() => JSON.parse("{"))).toThrow(SyntaxError);
  });

  test("that is shared stops each computation that takes from it", () => {
    const total = new StepBudget(5);
    new StepBudget(3, total).spend(3);
    expect(total.left).toBe(2);
    expect(withinBudget(() => new StepBudget(3, total).spend(3))).toBeUndefined();
    expect(total).toMatchObject({ left: 0, isExhausted: true });
  });

  test("that refuses many steps takes none of them from the total", () => {
    const total = new StepBudget(5);
    const own = new StepBudget(3, total);
    expect(withinBudget(() => own.spend(4))).toBeUndefined();
    expect(own).toMatchObject({ left: 0, isExhausted: true });
    expect(total).toMatchObject({ left: 5, isExhausted: false });
    expect([total.affords(5), total.affords(6), own.affords(1)]).toEqual([true, false, false]);
  });

  test("is shared by comparisons: compiling, searching and confirming take from it", () => {
    const budget = new StepBudget(5000);
    const compare = () =>
      compareSchemas({ type: "string", pattern: "^a+$" }, { type: "number" }, { direction: "input", budget });
    expect(compare().verdict).toBe("breaking");
    expect(budget.left).toBeLessThan(5000);
    while (budget.left > 0) compare();
    expect(compare()).toMatchObject({ verdict: "unknown", changes: [], notes: [{ code: "budget", path: "" }] });
  });
});

describe("the evaluator", () => {
  test("gives no answer about schemas nested too deeply", () => {
    const not = (node: SchemaNode): SchemaNode => ({
      pointer: "",
      kinds: ALL,
      equivalenceClass: 0,
      constraints: [{ type: "not", kinds: ALL, pointer: "", node }],
    });
    let node: SchemaNode = { pointer: "", kinds: 0, equivalenceClass: 0, constraints: [] };
    for (let i = 0; i < 100; i++) node = not(node);
    expect(new Evaluator(new StepBudget(1e6)).node(node, 1)).toBe(false);
    for (let i = 0; i < 900; i++) node = not(node);
    expect(new Evaluator(new StepBudget(1e6)).node(node, 1)).toBeUndefined();
  });
});

const budget = () => new StepBudget(1e6);

describe("the estimate of a validator's work", () => {
  test.each([
    ["a schema without schemas inside", { type: "string" }, "a", 1],
    ["a boolean", true, "a", 1],
    ["members that the value has", { properties: { a: {}, b: {} } }, { a: 1 }, 2.75],
    ["every element", { items: {}, contains: {} }, [1, 2, 3], 7],
    ["alternatives", { anyOf: [{}, { not: {} }] }, 1, 4],
    ["a reference", { $ref: "#/$defs/a", $defs: { a: {} } }, 1, 2],
    ["a reference to an anchor", { $ref: "#a", $defs: { a: { $dynamicAnchor: "a" } } }, 1, 2],
    ["a reference that leads nowhere", { $ref: "#a" }, 1, 1000],
    ["a reference that leads out of the document", { $ref: "https://example.com/" }, 1, 1],
    [
      "names by pattern, and dependencies",
      { patternProperties: { a: {} }, dependentSchemas: { a: {} } },
      { a: 1, b: 2 },
      4,
    ],
    ["keywords without schemas", { patternProperties: 1, dependencies: [], properties: {} }, { a: 1 }, 1.25],
    ["a schema that refers to itself", { $ref: "#" }, 1, 1000],
    ["a dynamic reference", { $dynamicRef: "#a", $defs: { a: { $dynamicAnchor: "a" } } }, 1, 1000],
    ["a number among 64 others", { enum: Array.from({ length: 64 }, (_, i) => i) }, 1, 3],
    ["an enum that is not a list", { enum: 1 }, 1, 1],
    ["a small object among large ones", { enum: [{ a: "x".repeat(1000) }, {}] }, {}, 1 + 2 / 32 + 8 / 32],
    ["a large object and a small one", { const: {} }, { a: "x".repeat(1000) }, 1 + 1 / 32 + 9 / 32],
    ["every number with every other", { uniqueItems: true }, Array.from({ length: 64 }, (_, i) => i), 65],
    ["every object with every other", { uniqueItems: true }, [{}, {}], 1 + 2 / 32 + (2 * 8) / 32],
    ["keywords for values of other types", { uniqueItems: true, minLength: 1, required: ["a"] }, 1, 1],
    ["the length of a text", { minLength: 1 }, "x".repeat(128), 2],
    ["the names of an object", { minProperties: 1, required: ["a", "b", "c"] }, { a: 1 }, 2.25],
  ])("%s", (_, schema, value, work) => {
    expect(estimateRun(schema as never, value as never, 1000, budget())).toBe(work);
  });

  test("takes steps itself, and stops when they are used up", () => {
    const items = Array.from({ length: 100 }, (_, i) => ({ i }));
    const schema = { items: { anyOf: Array.from({ length: 100 }, (_, i) => ({ required: [`r${i}`] })) } };
    expect(withinBudget(() => estimateRun(schema, items, 1e9, new StepBudget(1000)))).toBeUndefined();
    expect(estimateRun(schema, items, 500, budget())).toBe(500);
  });
});

describe("the estimate of compiling with ajv", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => i);
  const properties = (count: number, schema: (i: number) => unknown) =>
    Object.fromEntries(many(count).map((i) => [`p${i}`, schema(i)]));
  const estimate = (schema: unknown): number => estimateCompile(schema as never, budget());

  test("grows with schemas, keywords, patterns and names, and faster where code is nested", () => {
    const of = (count: number) => estimate({ properties: properties(count, () => ({ type: "string" })) });
    expect(of(200)).toBeGreaterThan(1.9 * of(100));
    expect(of(800)).toBeGreaterThan(4.5 * of(200));
    expect(estimate({ required: many(100).map(String) })).toBeGreaterThan(10 * estimate({ required: ["a"] }));
    expect(estimate({ dependentRequired: { a: many(100).map(String) } })).toBeGreaterThan(
      10 * estimate({ dependentRequired: { a: ["b"] } }),
    );
    expect(estimate({ required: many(300).map(String) })).toBeLessThan(estimate({ required: many(100).map(String) }));
    expect(estimate({ patternProperties: { a: {} } })).toBeGreaterThan(estimate({ properties: { a: {} } }));
    expect(estimate({ default: many(1000) })).toBeLessThan(300);
    expect(estimate({ $defs: properties(1000, () => ({ type: "string" })) })).toBeLessThan(2000);
  });

  test("grows with the names that alternatives evaluate, and counts a schema once for all references to it", () => {
    const referring = (count: number) => ({
      anyOf: many(count).map(() => ({ $ref: "#/$defs/e" })),
      $defs: { e: { properties: properties(100, () => true) } },
    });
    expect(estimate(referring(100))).toBeGreaterThan(50 * estimate(referring(10)));
    expect(estimate({ $ref: "#", $defs: { a: { $ref: "https://example.com/" } } })).toBeLessThan(1000);
  });

  test("is infinite when an engine may run out of stack", () => {
    expect(estimate({ allOf: many(1001).map(() => ({ type: "string" })) })).toBe(Number.POSITIVE_INFINITY);
    const deep = many(11).reduce<object>((inner) => ({ allOf: [...many(99).map(() => ({})), inner] }), {});
    expect(estimate(deep)).toBe(Number.POSITIVE_INFINITY);
  });
});
