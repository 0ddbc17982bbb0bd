import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FingerprintTable } from "../src/fingerprint-table.ts";

describe("FingerprintTable", () => {
  it("finds what a Map finds, the first of equal keys", () => {
    const key = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(40));
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.boolean()), { maxLength: 300 }), (operations) => {
        const table = new FingerprintTable(3);
        const model = new Map<string, number>();
        for (const [index, [words, add]] of operations.entries()) {
          const name = words.join();
          if (add) table.add(words, index);
          if (add && !model.has(name)) model.set(name, index);
          const entry = table.find(words);
          expect(entry < 0 ? undefined : table.value(entry)).toBe(model.get(name));
        }
      }),
    );
  });

  it("stays exact where keys crowd one place, as an attacker would have them", () => {
    const crowded: number[][] = [];
    // With one word the place is a function of it alone: search for words of one place.
    const place = (word: number): number => {
      const mixed = Math.imul(word, 0x9e3779b1);
      return (mixed ^ (mixed >>> 15)) & 0xff;
    };
    for (let word = 0; crowded.length < 120; word++) if (place(word) === 7) crowded.push([word]);
    const table = new FingerprintTable(1);
    for (const [index, key] of [...crowded, ...crowded].entries()) table.add(key, index);
    expect(crowded.map((key) => table.value(table.find(key)))).toEqual(crowded.map((_, index) => index));
    for (const key of crowded) table.setValue(table.find(key), 9);
    expect(crowded.map((key) => table.value(table.find(key)))).toEqual(crowded.map(() => 9));
    expect(table.find([1])).toBe(-1);
  });
});
