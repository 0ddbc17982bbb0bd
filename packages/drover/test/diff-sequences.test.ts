import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffSequences } from "../src/diff-sequences.ts";

const sequence = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 });

/** Returns the length of a longest common subsequence, computed with the textbook table. */
function longestCommon(before: readonly string[], after: readonly string[]): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const item of before) {
    const next = [0];
    for (let j = 1; j <= after.length; j++) {
      next.push(item === after[j - 1] ? row[j - 1]! + 1 : Math.max(row[j]!, next[j - 1]!));
    }
    row = next;
  }
  return row[after.length]!;
}

describe("diffSequences", () => {
  test("rebuilds both sides in order", () => {
    fc.assert(
      fc.property(sequence, sequence, (before, after) => {
        const edits = diffSequences(before, after);
        const indexesBefore = edits.flatMap((edit) => (edit.kind === "add" ? [] : [edit.before]));
        const indexesAfter = edits.flatMap((edit) => (edit.kind === "remove" ? [] : [edit.after]));
        expect(indexesBefore).toEqual(before.map((_, index) => index));
        expect(indexesAfter).toEqual(after.map((_, index) => index));
        for (const edit of edits) if (edit.kind === "keep") expect(before[edit.before]).toBe(after[edit.after]);
      }),
    );
  });

  test("keeps a longest common subsequence", () => {
    fc.assert(
      fc.property(sequence, sequence, (before, after) => {
        const kept = diffSequences(before, after).filter((edit) => edit.kind === "keep");
        expect(kept).toHaveLength(longestCommon(before, after));
      }),
    );
  });

  test("replaces everything between the common ends when the edits are too many", () => {
    const before = ["same", ...Array.from({ length: 3000 }, (_, index) => `old ${index}`), "same"];
    const after = ["same", ...Array.from({ length: 3000 }, (_, index) => `new ${index}`), "same"];
    const kinds = diffSequences(before, after).map((edit) => edit.kind);
    expect(kinds.filter((kind) => kind === "keep")).toHaveLength(2);
    expect(kinds).toHaveLength(6002);
  });
});
