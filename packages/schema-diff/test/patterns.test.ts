import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StepBudget } from "../src/budget.ts";
import { compilePattern } from "../src/regex/compile-pattern.ts";
import { findString } from "../src/regex/find-string.ts";

const atom = fc.constantFrom(
  "a",
  "b",
  "c",
  "1",
  " ",
  ".",
  "\\d",
  "\\D",
  "\\w",
  "\\W",
  "\\s",
  "\\S",
  "[ab]",
  "[^ab]",
  "[a-c1]",
  "[^\\d]",
  "\\u{1f600}",
  "é",
  "\\n",
  "\\$",
  "[^]",
  "[]",
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc.constantFrom("^", "$"),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"))
      .map(([a, times]) => `(?:${a})${times}`),
  ),
}));
const text = fc.string({
  unit: fc.constantFrom("a", "b", "c", "1", " ", "\n", "\u2028", "é", "\u{1f600}", "_"),
  maxLength: 6,
});
const budget = () => new StepBudget(1_000_000);

describe("automata", () => {
  test("accept the strings that the regular expressions of JavaScript match", () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 5 }), (source, texts) => {
        const automaton = compilePattern(source, budget());
        for (const value of texts)
          expect({ source, value, is: automaton?.test(value, budget()) }).toEqual({
            source,
            value,
            is: new RegExp(source, "u").test(value),
          });
      }),
      { numRuns: runs(200) },
    );
  });

  test("a found string fulfils the query, and no shorter string but the empty one does", () => {
    fc.assert(
      fc.property(
        pattern,
        pattern,
        fc.nat(3),
        fc.nat(3),
        fc.array(text, { maxLength: 20 }),
        (wanted, unwanted, minLength, more, texts) => {
          const [matching, avoiding] = [compilePattern(wanted, budget()), compilePattern(unwanted, budget())];
          if (!matching || !avoiding) throw new Error("every such pattern compiles");
          const query = { matching: [matching], avoiding: [avoiding], minLength, maxLength: minLength + more };
          const found = findString(query, budget());
          const [want, avoid] = [new RegExp(wanted, "u"), new RegExp(unwanted, "u")];
          const fits = (value: string): boolean => {
            const length = [...value].length;
            return want.test(value) && !avoid.test(value) && length >= minLength && length <= minLength + more;
          };
          if (found === "too-long") throw new Error("no such length");
          if (found)
            expect({ wanted, unwanted, found, fits: fits(found.text) }).toEqual({
              wanted,
              unwanted,
              found,
              fits: true,
            });
          const fitting = texts.filter(fits);
          if (!found) expect(fitting).toEqual([]);
          else
            for (const value of fitting)
              if (value) expect([...value].length).toBeGreaterThanOrEqual([...found.text].length);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  test.each([
    ["[\\ud800-\\udfff]", undefined],
    ["^[\\u0000-\\u0008]$", "\u0000"],
    ["^[\\u007f-\\u009f]$", "\u007f"],
    ["^[^\\u0000-\\u{10fffe}]$", "\u{10ffff}"],
    ["^[!-~]$", "a"],
    ["^[^a-z]$", "A"],
    ["^[^a-zA-Z0-9]$", "-"],
  ])("%s: the most readable character is chosen, and never a lone surrogate", (source, expected) => {
    const automaton = compilePattern(source, budget());
    const found = findString(
      { matching: automaton ? [automaton] : [], avoiding: [], minLength: 0, maxLength: 9 },
      budget(),
    );
    expect(found && typeof found === "object" ? found.text : undefined).toBe(expected);
  });
});

test("states that are reached at once cost steps even if the search does not continue from them", () => {
  const [length, alternatives] = [100, 900];
  const wanted = compilePattern(`^a*(?:b(?:${"|".repeat(alternatives)}))?$`, budget());
  const unwanted = compilePattern("b", budget());
  if (!wanted || !unwanted) expect.unreachable();
  const steps = new StepBudget(1e6);
  const lengths = { minLength: length, maxLength: length };
  const found = findString({ matching: [wanted], avoiding: [unwanted], ...lengths }, steps);
  expect(found).toEqual({ text: "a".repeat(length) });
  expect(1e6 - steps.left).toBeGreaterThan((length * alternatives) / 8);
});
