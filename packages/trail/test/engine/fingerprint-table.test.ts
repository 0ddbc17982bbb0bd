import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FingerprintTable } from "../../src/engine/fingerprint-table.ts";

describe("FingerprintTable", () => {
  test("finds what a Map finds, the first of equal keys", () => {
    const key = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(40));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, fc.constantFrom("add", "getOrInsert", "find")), { maxLength: 300 }),
        (operations) => {
          const table = new FingerprintTable(3);
          const model = new Map<string, number>();
          for (const [index, [words, operation]] of operations.entries()) {
            const name = words.join();
            if (operation === "add") table.add(words, index);
            if (operation === "getOrInsert") expect(table.getOrInsert(words, index)).toBe(model.get(name) ?? -1);
            if (operation !== "find" && !model.has(name)) model.set(name, index);
            const entry = table.find(words);
            expect(entry < 0 ? undefined : table.value(entry)).toBe(model.get(name));
          }
        },
      ),
    );
  });

  test("finds all keys of a table of growing keys once a key does not grow", () => {
    const table = new FingerprintTable(2);
    const keys = Array.from({ length: 1000 }, (_, index) => [index >>> 4, (index & 15) * 0x11111111]);
    for (const [index, key] of keys.entries()) expect(table.getOrInsert(key, index)).toBe(-1);
    for (const [index, key] of keys.entries()) expect(table.getOrInsert(key, 9999)).toBe(index);
    expect(table.getOrInsert([3, 1], 1000)).toBe(-1);
    expect(table.getOrInsert([3, 1], 1001)).toBe(1000);
  });

  test("stays exact if an attacker chooses keys whose searches all begin at one slot", () => {
    const crowded: number[][] = [];
    // The place of a key of one word depends only on that word, so search for words with the same place.
    const place = (word: number): number => {
      const mixed = Math.imul(word, 0x9e3779b1);
      return (mixed ^ (mixed >>> 15)) & 0xff;
    };
    for (let word = 0; crowded.length < 120; word++) if (place(word) === 7) crowded.unshift([word]); // keys never grow
    const claimed = new FingerprintTable(1);
    expect(crowded.map((key, index) => claimed.getOrInsert(key, index))).toEqual(crowded.map(() => -1));
    expect(crowded.map((key) => claimed.getOrInsert(key, 999))).toEqual(crowded.map((_, index) => index));
    const table = new FingerprintTable(1);
    for (const [index, key] of [...crowded, ...crowded].entries()) table.add(key, index);
    expect(crowded.map((key) => table.value(table.find(key)))).toEqual(crowded.map((_, index) => index));
    for (const key of crowded) table.setValue(table.find(key), 9);
    expect(crowded.map((key) => table.value(table.find(key)))).toEqual(crowded.map(() => 9));
    expect(table.find([1])).toBe(-1);
  });
});
