import { describe, expect, test } from "vitest";
import { COMPARISON_RULES, comparisonFindings, differenceInWords, type ScaleLevel } from "../src/findings/index.ts";
import { compareTexts } from "../src/index.ts";

const found = (before: string, after: string, level: ScaleLevel, path?: string) =>
  comparisonFindings(compareTexts(before, after, path === undefined ? {} : { path }), level, "a ↔ b");

describe("the findings about two texts", () => {
  test("are absent if the bytes are the same", () => {
    expect(found("a\n", "a\n", "bytes")).toEqual([]);
  });

  test.each<[string, string, ScaleLevel, keyof typeof COMPARISON_RULES, string]>([
    ["a\r\n", "a\n", "eol", "text/formatting-differs", "only line endings or a byte order mark differ"],
    ["a\r\n", "a\n", "whitespace", "text/formatting-differs", "only line endings or a byte order mark differ"],
    ["a\r\n", "a\n", "bytes", "text/differs", "only line endings or a byte order mark differ, at level bytes"],
    ["a  b", "a b", "trailing", "text/differs", "only white space differs, at level trailing"],
    ["a", "b", "whitespace", "text/differs", "the content differs, at level whitespace"],
  ])("%j and %j at level %s are of %s", (before, after, level, rule, message) => {
    expect(found(before, after, level)).toEqual([
      { rule, level: COMPARISON_RULES[rule].level, message, place: { subject: "a ↔ b" } },
    ]);
  });

  test("say where white space has a meaning", () => {
    const rules = found("if x:\n  a()\n", "if x:\n    a()\n", "whitespace", "a.py").map(({ rule }) => rule);
    expect(rules).toEqual(["text/formatting-differs", "text/meaningful-white-space"]);
  });
});

test("a difference has words", () => {
  expect(differenceInWords(compareTexts("a", "a"))).toBe("nothing differs");
  expect(differenceInWords(compareTexts("a ", "a"))).toBe(
    "only white space at line ends or newlines at the end differ",
  );
});
