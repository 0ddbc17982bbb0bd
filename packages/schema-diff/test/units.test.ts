import { describe, expect, test } from "vitest";
import { StepBudget, withinBudget } from "../src/budget.ts";
import { compareSchemas } from "../src/compare-schemas.ts";
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
