import {
  compareCodeUnits,
  isSha256Hex,
  sliceWithoutSplittingSurrogates,
  splitsSurrogates,
} from "@agentprint/canonical-json/text";
import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

describe("sliceWithoutSplittingSurrogates", () => {
  test.each([
    ["abc", 0, 2, "ab"],
    ["a😀b", 0, 1, "a"],
    ["a😀b", 0, 2, "a😀"],
    ["a😀b", 0, 3, "a😀"],
    ["a😀b", 1, 2, "😀"],
    ["a😀b", 3, 9, "b"],
    ["a\ud83d", 0, 2, "a\ud83d"],
    ["\ude00b", 0, 1, "\ude00"],
    ["", 0, 0, ""],
  ])("%j from %i to %i is %j", (text, from, to, piece) => {
    expect(sliceWithoutSplittingSurrogates(text, from, to)).toBe(piece);
  });

  test("pieces of a well-formed text are well-formed, at most one unit longer, and make up the text", () => {
    const anyText = fc.string({ unit: anyCharacter, maxLength: 30 });
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 5 }), (text, length) => {
        const pieces: string[] = [];
        for (let from = 0; from < text.length; from += pieces.at(-1)?.length ?? 0) {
          pieces.push(sliceWithoutSplittingSurrogates(text, from, from + length));
        }
        expect(pieces.join("")).toBe(text);
        expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= length + 1)).toBe(true);
      }),
    );
  });
});

test("splitsSurrogates is true only between the halves of a pair", () => {
  const text = "a😀\ud83d\ude00\ud83db\ude00";
  expect(Array.from({ length: text.length + 2 }, (_, index) => splitsSurrogates(text, index)).map(Number)).toEqual([
    0, 0, 1, 0, 1, 0, 0, 0, 0, 0,
  ]);
  expect([splitsSurrogates("\u{10000}", 1), splitsSurrogates("\uffff", 1)]).toEqual([true, false]);
});

test("compareCodeUnits orders as Array.prototype.sort does without a comparator", () => {
  const texts = ["b", "", "a", "a", "Z", "10", "9", "\u{1f600}", "\uffff", "é"];
  expect(texts.toSorted(compareCodeUnits)).toEqual(texts.toSorted());
  expect(compareCodeUnits("a", "a")).toBe(0);
});

test.each<[unknown, boolean]>([
  ["0123456789abcdef".repeat(4), true],
  ["0123456789ABCDEF".repeat(4), false],
  ["0".repeat(63), false],
  ["0".repeat(65), false],
  [`${"0".repeat(64)}\n`, false],
  [0, false],
  [undefined, false],
])("isSha256Hex(%j) is %j", (value, expected) => {
  expect(isSha256Hex(value)).toBe(expected);
});
