import { describe, expect, test } from "vitest";
import { StepBudget, withinBudget } from "../src/budget.ts";
import { compareSchemas } from "../src/compare-schemas.ts";
import { estimateWork } from "../src/estimate-work.ts";
import { Evaluator } from "../src/evaluate.ts";
import { ALL } from "../src/kinds.ts";
import type { Node } from "../src/node.ts";

describe("a budget", () => {
  test("ends a computation, and hides no other error", () => {
    expect(withinBudget(() => new StepBudget(1).spend(1) ?? "done")).toBe("done");
    expect(withinBudget(() => new StepBudget(1).spend(2))).toBeUndefined();
    expect(() => withinBudget(() => JSON.parse("{"))).toThrow(SyntaxError);
  });

  test("that is shared ends each computation that takes from it", () => {
    const total = new StepBudget(5);
    new StepBudget(3, total).spend(3);
    expect(total.left).toBe(2);
    expect(withinBudget(() => new StepBudget(3, total).spend(3))).toBeUndefined();
    expect(total.left).toBe(-1);
  });

  test("is shared by comparisons: compiling, searching and confirming take from it", () => {
    const budget = new StepBudget(200);
    const compare = () =>
      compareSchemas({ type: "string", pattern: "^a+$" }, { type: "number" }, { direction: "input", budget });
    expect(compare().verdict).toBe("breaking");
    expect(budget.left).toBeLessThan(200);
    while (budget.left > 0) compare();
    expect(compare()).toMatchObject({ verdict: "unknown", changes: [], notes: [{ code: "budget", path: "" }] });
  });
});

describe("the evaluator", () => {
  test("says nothing about schemas nested too deep in each other", () => {
    const not = (node: Node): Node => ({
      pointer: "",
      kinds: ALL,
      shape: 0,
      parts: [{ part: "not", kinds: ALL, at: "", node }],
    });
    let node: Node = { pointer: "", kinds: 0, shape: 0, parts: [] };
    for (let i = 0; i < 100; i++) node = not(node);
    expect(new Evaluator(new StepBudget(1e6)).node(node, 1)).toBe(false);
    for (let i = 0; i < 900; i++) node = not(node);
    expect(new Evaluator(new StepBudget(1e6)).node(node, 1)).toBeUndefined();
  });
});

describe("the estimate of a validator's work", () => {
  test.each([
    ["a schema without schemas inside", { type: "string" }, "a", 1],
    ["a boolean", true, "a", 1],
    ["members that are there", { properties: { a: {}, b: {} } }, { a: 1 }, 2],
    ["every element", { items: {}, contains: {} }, [1, 2, 3], 7],
    ["alternatives", { anyOf: [{}, { not: {} }] }, 1, 4],
    ["a reference", { $ref: "#/$defs/a", $defs: { a: {} } }, 1, 2],
    ["a reference to an anchor", { $ref: "#a", $defs: { a: { $dynamicAnchor: "a" } } }, 1, 2],
    ["a reference that leads nowhere", { $ref: "#a" }, 1, 1000],
    ["a reference elsewhere", { $ref: "https://example.com/" }, 1, 1],
    [
      "names by pattern, and dependencies",
      { patternProperties: { a: {} }, dependentSchemas: { a: {} } },
      { a: 1, b: 2 },
      4,
    ],
    ["keywords without schemas", { patternProperties: 1, dependencies: [], properties: {} }, { a: 1 }, 1],
    ["a schema that is itself", { $ref: "#" }, 1, 1000],
  ])("%s", (_, schema, value, work) => {
    expect(estimateWork(schema as never, value as never, 1000)).toBe(work);
  });
});
