import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changedParts } from "../src/changed-parts.ts";
import { diffTexts, type Hunk } from "../src/diff-texts.ts";

const LIMIT = 1_000_000;
const word = fc.oneof(
  fc.constantFrom("the", "tool", "reads", "a", "file", " ", "\n", "\\n", "\\u001b", "💥", "💦", "e\u0301", "-", '"'),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const text = (maxLength: number) => fc.array(word, { maxLength }).map((words) => words.join(""));
/** Two texts that share most of what they say, and two that share nothing but words. */
const pair = fc.oneof(
  fc.tuple(text(200), text(200)),
  fc
    .tuple(text(400), fc.array(fc.tuple(fc.nat(2000), fc.nat(50), text(20)), { maxLength: 6 }))
    .map(([base, edits]): [string, string] => [
      base,
      edits.reduce((edited, [at, length, put]) => edited.slice(0, at) + put + edited.slice(at + length), base),
    ]),
);

/** The second text, made of the first one and what stands in the places that differ. */
function patched(before: string, after: string, hunks: readonly Hunk[]): string {
  let position = 0;
  let result = "";
  for (const hunk of hunks) {
    result += before.slice(position, hunk.before[0]) + after.slice(...hunk.after);
    position = hunk.before[1];
  }
  return result + before.slice(position);
}

describe("diffTexts", () => {
  test("the first text with its hunks replaced is the second text", () => {
    fc.assert(
      fc.property(pair, fc.constantFrom(0, 50, LIMIT), ([before, after], limit) => {
        const hunks = diffTexts(before, after, limit);
        expect(patched(before, after, hunks)).toBe(after);
        expect(hunks.length === 0).toBe(before === after);
        for (const [index, hunk] of hunks.entries()) {
          expect(hunk.before[0] > (hunks[index - 1]?.before[1] ?? -1)).toBe(true);
          expect(before.slice(...hunk.before)).not.toBe(after.slice(...hunk.after));
        }
      }),
    );
  });

  test("two edits far from each other are two hunks", () => {
    const [head, tail] = ["alpha beta gamma", "delta epsilon zeta"];
    const hunks = diffTexts(`one ${head} x ${tail} two`, `uno ${head} x ${tail} dos tres`, LIMIT);
    expect(hunks).toEqual([
      { before: [0, 3], after: [0, 3] },
      { before: [42, 45], after: [42, 50] },
    ]);
  });

  test("words that moved are one hunk on each side", () => {
    expect(diffTexts("a b c d e", "a d b c e", LIMIT)).toEqual([
      { before: [2, 2], after: [2, 4] },
      { before: [5, 7], after: [7, 7] },
    ]);
  });

  test("a long text of one word takes no more than the time of its length", () => {
    const before = "word ".repeat(100_000);
    expect(diffTexts(`x ${before}y`, `z ${before}w`, LIMIT)).toHaveLength(1);
    expect(diffTexts(`x ${before}y`, `z ${before}w`, 1000)).toHaveLength(1);
  });
});

describe("changedParts", () => {
  test("the text outside of the parts is the same in both texts", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        expect(patched(before, after, changedParts(before, after, LIMIT))).toBe(after);
      }),
    );
  });

  test("two equal texts are one part", () => {
    const same = "word ".repeat(100);
    expect(changedParts(same, same, LIMIT)).toEqual([{ before: [0, 500], after: [0, 500] }]);
  });

  test("no part begins or ends inside of a character", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), fc.constantFrom("", "b", "bb"), (left, right, middle) => {
        const [before, after] = ["X", "Y"].map((change) => "💥".repeat(left) + middle + change + "💦".repeat(right));
        for (const part of changedParts(before!, after!, LIMIT)) {
          expect(before!.slice(...part.before).isWellFormed()).toBe(true);
          expect(after!.slice(...part.after).isWellFormed()).toBe(true);
        }
      }),
    );
  });

  test("a hash next to a difference is shown completely", () => {
    const hash = "0123456789abcdef".repeat(4);
    const [before, after] = ["one", "two"].map(
      (change) => `${"word ".repeat(90)}${hash} ${change} ${hash}${" word".repeat(90)}`,
    );
    const [part] = changedParts(before!, after!, LIMIT);
    expect(before!.slice(...part!.before)).toBe(`${hash} one ${hash}`);
  });
});
