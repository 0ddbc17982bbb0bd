import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { StepBudget } from "../src/budget.ts";
import { compilePattern } from "../src/regex/compile-pattern.ts";

const TOKENS = [
  ..."ab1-_ é/^$.|()[]{}*+?\\,:<>=!&",
  ...[
    "😀",
    "\ud83d",
    "\ude00",
    "(?:",
    "(?<n>",
    "(?<1>",
    "(?=",
    "(?!",
    "(?<=",
    "[^",
    "[a-z]",
    "[z-a]",
    "[\\d-a]",
    "[a-\\d]",
  ],
  ...[
    "[-a]",
    "[a-]",
    "[]",
    "[^]",
    "[\\b]",
    "[\\-]",
    "[\\]]",
    "*?",
    "{2}",
    "{2,}",
    "{2,3}",
    "{3,2}",
    "{,3}",
    "{0}",
    "{2",
  ],
  ...[
    "\\d",
    "\\D",
    "\\s",
    "\\S",
    "\\w",
    "\\W",
    "\\b",
    "\\B",
    "\\p{L}",
    "\\k<n>",
    "\\1",
    "\\0",
    "\\01",
    "\\n",
    "\\t",
    "\\v",
  ],
  ...[
    "\\f",
    "\\r",
    "\\cA",
    "\\cz",
    "\\c1",
    "\\x41",
    "\\x4",
    "\\u0041",
    "\\u004",
    "\\u{1F600}",
    "\\u{110000}",
    "\\u{000041}",
  ],
  ...[
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\ude00",
    "\\ud83d\\u0041",
    "\\/",
    "\\.",
    "\\\\",
    "\\-",
    "\\(",
    "\\]",
    "\\{",
    "\\|",
    "\\a",
  ],
];
const TEXTS = [
  "",
  "a",
  "b",
  "ab",
  "aab",
  "1",
  "-",
  " ",
  "é",
  "😀",
  "A",
  "\n",
  "\t",
  "\v",
  "\f",
  "\r",
  "a\n",
  "a1_",
  "/",
  "{",
  "\0",
  "\b",
  "\u001a",
];

/** Matches a construct that a finite automaton cannot express, anywhere in a pattern. */
const UNSUPPORTED = /\\[bBpPk1-9]|\(\?(?![:<]|<n>)|\(\?<[=!]/;

function engineOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "u");
  } catch {
    return undefined;
  }
}

test("a pattern is read as JavaScript reads it, or it is refused", () => {
  const counts = { read: 0, malformed: 0 };
  const pattern = fc
    .array(fc.constantFrom(...TOKENS), { maxLength: 6 })
    .map((tokens) => tokens.join(""))
    // Engines differ on whether a name may occur in two alternatives.
    .filter((source) => source.split("(?<n>").length < 3)
    // An escaped backslash and 110,000 times `u`, which is valid but too large.
    .filter((source) => !source.includes("\\\\u{110000}"));
  fc.assert(
    fc.property(pattern, (source) => {
      const [engine, automaton] = [engineOf(source), compilePattern(source, new StepBudget(1e6))];
      if (!engine) counts.malformed++;
      if (automaton) counts.read++;
      if (!engine || !UNSUPPORTED.test(source))
        expect([source, automaton !== undefined]).toEqual([source, engine !== undefined]);
      for (const text of automaton ? TEXTS : []) {
        expect([source, text, automaton?.test(text, new StepBudget(1e6))]).toEqual([source, text, engine?.test(text)]);
      }
    }),
    { numRuns: runs(800) },
  );
  expect(Math.min(counts.read, counts.malformed)).toBeGreaterThan(runs(100));
});

test.each([
  ["(?<n>a)|(?<n>b)", true],
  ["(?<n>a)(?<n>b)", false],
  ["(?<n>(?<n>a))", false],
  ["(?<é$>a)", true],
  ["(?<1>a)", false],
  ["(?<n>a", false],
  ["(?i:a)", false],
  ["[a", false],
  ["\\", false],
  ["a)", false],
])("%s is read: %s", (source, isRead) => {
  expect(compilePattern(source, new StepBudget(1e6)) !== undefined).toBe(isRead);
});
