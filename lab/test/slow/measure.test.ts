import { expect, test } from "vitest";
import { type Comparison, measure, spreadOf } from "../../bench/measure.ts";
import { table } from "../../bench/table.ts";

const comparison: Comparison = {
  name: "sum",
  reference: "loop",
  ours: "formula",
  bar: 1,
  isCorrect: (output) => output === 5050,
  contenders: {
    loop: () => Array.from({ length: 101 }, (_, index) => index).reduce((sum, index) => sum + index, 0),
    formula: () => (100 * 101) / 2,
    wrong: () => 5051,
    failing: () => {
      throw new Error("no sum");
    },
  },
};

test("a wrong output and an error have no ratio, in the table either", async () => {
  const results = await measure("sums", comparison, "all");
  const [loop, formula, ...others] = results;
  expect(loop).toMatchObject({ ratio: 1, spread: 0, correct: true });
  expect(formula).toMatchObject({ correct: true, bar: 1 });
  expect(formula?.ratio).toBeGreaterThan(0);
  expect(others).toMatchObject([
    { contender: "wrong", ratio: 0, correct: false },
    { contender: "failing", ratio: 0, correct: false },
  ]);
  expect(table(results)).toMatch(/\| sum +\| 1\.00 +\| [\d.]+(?: ± \d+ %)? +\| ✗ +\| ✗ +\| ≥ 1 +\|/);
});

test("a wrong reference is an error: every ratio would be one to a wrong output", async () => {
  await expect(measure("sums", { ...comparison, reference: "wrong" }, "all")).rejects.toThrow(
    "the output of wrong, the reference,",
  );
});

test("the spread covers the middle half, and one above 10 % is marked", () => {
  expect(spreadOf([9, 10, 10, 10, 100])).toBe(0);
  expect(spreadOf([8, 9, 10, 11, 12])).toBeCloseTo(0.2);
  expect(spreadOf([0, 0, 0])).toBe(0);
  const result = { suite: "s", comparison: "c", contender: "x", ratio: 2, correct: true, bar: undefined };
  expect(table([{ ...result, spread: 0.2 }])).toContain("2.00 ± 10 %");
  expect(table([{ ...result, spread: 0.09 }])).toMatch(/2\.00 +\|/);
});
