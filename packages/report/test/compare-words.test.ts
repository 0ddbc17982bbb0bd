import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changedParts } from "../src/changed-parts.ts";
import { type CompareWords, type Hunk, TextComparer } from "../src/compare-words.ts";
import { compareWords } from "./compare.ts";

const AROUND = { context: 40, short: 200 };
const anyCompareWords = fc.constantFrom<CompareWords | undefined>(compareWords, () => undefined, undefined);
const diff = (before: string, after: string, compare: CompareWords | undefined = compareWords): Hunk[] =>
  new TextComparer(compare).diff(before, after);
const word = fc.oneof(
  fc.constantFrom("the", "tool", "reads", "a", "file", " ", "\n", "\\n", "\\u001b", "💥", "💦", "e\u0301", "-", '"'),
  fc.string({ unit: anyCharacter, maxLength: 3 }),
);
const text = (maxLength: number) => fc.array(word, { maxLength }).map((words) => words.join(""));
/** Two texts with mostly the same content, and two that share only single words. */
const pair = fc.oneof(
  fc.tuple(text(200), text(200)),
  fc
    .tuple(text(400), fc.array(fc.tuple(fc.nat(2000), fc.nat(50), text(20)), { maxLength: 6 }))
    .map(([base, edits]): [string, string] => [
      base,
      edits.reduce((edited, [at, length, put]) => edited.slice(0, at) + put + edited.slice(at + length), base),
    ]),
);

/** Returns the second text, built from the first one and the differences. */
function patched(before: string, after: string, hunks: readonly Hunk[]): string {
  let position = 0;
  let result = "";
  for (const hunk of hunks) {
    result += before.slice(position, hunk.before[0]) + after.slice(...hunk.after);
    position = hunk.before[1];
  }
  return result + before.slice(position);
}

describe("TextComparer", () => {
  test("the first text with its hunks replaced is the second text", () => {
    fc.assert(
      fc.property(pair, anyCompareWords, ([before, after], compare) => {
        const hunks = diff(before, after, compare);
        expect(patched(before, after, hunks)).toBe(after);
        expect(hunks.length === 0).toBe(before === after);
        for (const [index, hunk] of hunks.entries()) {
          expect(hunk.before[0] > (hunks[index - 1]?.before[1] ?? -1)).toBe(true);
          expect(before.slice(...hunk.before)).not.toBe(after.slice(...hunk.after));
        }
      }),
    );
  });

  test("two edits far from each other are two hunks of whole words", () => {
    const [head, tail] = ["alpha beta gamma", "delta epsilon zeta"];
    const hunks = diff(`one ${head} x ${tail} two`, `uno ${head} x ${tail} dos tres`);
    expect(hunks).toEqual([
      { before: [0, 3], after: [0, 3] },
      { before: [42, 45], after: [42, 50] },
    ]);
    expect(diff("He prints it", "He printed it")).toEqual([{ before: [3, 9], after: [3, 10] }]);
  });

  test("an escape of a JSON text is one word", () => {
    expect(diff(String.raw`"a\tb"`, String.raw`"a\nb"`)).toEqual([{ before: [2, 4], after: [2, 4] }]);
  });

  test("hunks with next to nothing between them are one", () => {
    expect(diff("alpha a beta, and more text", "gamma a delta, and more text")).toEqual([
      { before: [0, 12], after: [0, 13] },
    ]);
  });

  test("is bounded in time for texts of a megabyte and a hundred thousand words", () => {
    const words = (name: string): string => Array.from({ length: 100_000 }, (_, index) => `${name}${index}`).join(" ");
    expect(diff(words("a"), words("b"))).toHaveLength(1);
    expect(diff("x".repeat(1_000_000), `${"y".repeat(1_000_000)}`)).toHaveLength(1);
    const same = "word ".repeat(100_000);
    expect(diff(`x ${same}y`, `z ${same}w`)).toHaveLength(2);
  });

  test("compares no more of a report than its limit", () => {
    let asked = 0;
    const comparer = new TextComparer((...words) => {
      asked++;
      return compareWords(...words);
    });
    const long = "word ".repeat(150_000);
    for (const end of ["a", "b"]) comparer.diff(`x ${long}`, `y ${long} z${end}`);
    expect(asked).toBe(1);
  });

  test("takes no more steps for a report than its limit, however many texts differ in all words", () => {
    const comparer = new TextComparer((before, after, maxEdits) => {
      steps += maxEdits ** 2;
      return compareWords(before, after, maxEdits);
    });
    let steps = 0;
    for (let index = 0; index < 40; index++) {
      comparer.diff("a ".repeat(700) + index, `${"b,".repeat(700)}${index}`);
    }
    expect(steps).toBeLessThanOrEqual(8_000_000);
  });
});

describe("changedParts", () => {
  const parts = (before: string, after: string) => changedParts(before, after, new TextComparer(compareWords), AROUND);

  test("the text outside of the parts is the same in both texts", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        expect(patched(before, after, parts(before, after))).toBe(after);
      }),
    );
  });

  test("two equal texts are one part", () => {
    const same = "word ".repeat(100);
    expect(parts(same, same)).toMatchObject([{ before: [0, 500], after: [0, 500] }]);
  });

  test("no part begins or ends inside of a character", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), fc.constantFrom("", "b", "bb"), (left, right, middle) => {
        const [before, after] = ["X", "Y"].map((change) => "💥".repeat(left) + middle + change + "💦".repeat(right));
        for (const part of parts(before!, after!)) {
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
    const [part] = parts(before!, after!);
    expect(before!.slice(...part!.before)).toBe(`${hash} one ${hash}`);
  });
});
