import { describe, expect, test } from "vitest";
import { RecordIndex } from "../../src/engine/record-index.ts";

const hashOf = (index: number): string => index.toString(16).padStart(16, "0").padEnd(64, "f");

/**
 * Returns an index with `length` records in order, and the duplicates that it reported, each as id, index and first
 * index.
 */
function indexOf(length: number, id: (index: number) => string): { index: RecordIndex; duplicates: unknown[] } {
  const duplicates: unknown[] = [];
  const index = new RecordIndex((name, place, first) => duplicates.push([name, place.index, place.position, first]));
  for (let i = 0; i < length; i++) expect(index.append(id(i), hashOf(i), i, i + 100)).toBe(i);
  return { index, duplicates };
}

describe("RecordIndex", () => {
  test("reports used ids in record order, after sixteen records or on request", () => {
    const { index, duplicates } = indexOf(18, (i) => (i < 15 ? `id ${i}` : "id 3"));
    expect(duplicates).toEqual([["id 3", 15, 115, 3]]);
    index.flush();
    expect(duplicates).toEqual([
      ["id 3", 15, 115, 3],
      ["id 3", 16, 116, 3],
      ["id 3", 17, 117, 3],
    ]);
  });

  test("answers as if every record had been entered", () => {
    const { index } = indexOf(5, (i) => `id ${i}`);
    expect(index.findHash(hashOf(4))).toEqual({ entry: 4, index: 4, leaf: false, anchored: true });
    expect(index.getOrInsertId("id 2", 9)).toBe(2);
    expect(index.getOrInsertId("new", 9)).toBe(-1);
    expect(index.getOrInsertId("new", 10)).toBe(9);
  });

  test("knows a hash that is followed before a record has it, and then it is no leaf", () => {
    const { index } = indexOf(1, (i) => `id ${i}`);
    index.expectHash(hashOf(7));
    expect(index.findHash(hashOf(7))).toBeUndefined();
    expect(index.getOrInsertHash(hashOf(7), 2, false)).toMatchObject({ index: 2, leaf: false, anchored: false });
    expect(index.getOrInsertHash(hashOf(8), 3, true)).toMatchObject({ index: 3, leaf: true, anchored: true });
  });
});
