import { canonicalize, keyComparator } from "@agentprint/canonical-json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const objectOf = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 0]));
const keysOf = (json: string) =>
  [...json.matchAll(/("(?:[^"\\]|\\.)*"):0/g)].map(([, key]) => JSON.parse(key as string) as string);

/** Texts that share prefixes, end early, and mix ASCII, Latin-1, BMP and astral characters. */
const key = fc
  .tuple(
    fc.constantFrom("", "prefix_", "prefix_long_"),
    fc.string({ unit: fc.constantFrom("a", "b", "A", "0", "\u0000", "é", "ÿ", "\ue000", "😀", "一"), maxLength: 7 }),
  )
  .map(([prefix, rest]) => prefix + rest);
const latinKey = fc
  .string({ unit: fc.constantFrom("a", "b", "\u0000", "é", "þ", "ÿ"), maxLength: 9 })
  .map((text) => `p${text}`);

describe("code units", () => {
  test.each([
    ["few keys", key, 0, 32],
    ["many keys", key, 33, 300],
    ["many keys that fit eight bits", latinKey, 33, 300],
  ])("%s are in the order of Array.prototype.sort", (_name, keys, minLength, maxLength) => {
    fc.assert(
      fc.property(fc.uniqueArray(keys, { minLength, maxLength }), (list) => {
        expect(keysOf(canonicalize(objectOf(list)))).toEqual([...list].sort());
      }),
      { numRuns: 300 },
    );
  });

  test("an order seen before is found again, and never taken for another", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(fc.constantFrom("aa", "ab", "ba", "bb", "ca", "cb"), { minLength: 2 })),
        (lists) => {
          for (const list of [...lists, ...lists])
            expect(keysOf(canonicalize(objectOf(list)))).toEqual([...list].sort());
        },
      ),
    );
  });

  test("very long keys", () => {
    const keys = ["b", "a", "c"].map((end) => "k".repeat(100_000) + end);
    for (let i = 0; i < 2; i++) expect(keysOf(canonicalize(objectOf(keys)))).toEqual([...keys].sort());
  });

  test("more keys than the packed sort can index", () => {
    const count = 2 ** 20 + 1;
    const keys = Array.from({ length: count }, (_, i) => ((i * 7919) % count).toString(36));
    const text = canonicalize(objectOf(keys));
    const expected = keys.sort().map((name) => `"${name}":0`);
    expect(text === `{${expected.join(",")}}`).toBe(true);
  });
});

describe("keyComparator", () => {
  test("compares by UTF-16 code units", () => {
    const compare = keyComparator("code-unit");
    expect([compare("a", "b"), compare("b", "a"), compare("a", "a")]).toEqual([-1, 1, 0]);
    expect(compare("\ue000", "😀")).toBe(1);
    expect(["maximum", "maxItems"].sort(compare)).toEqual(["maxItems", "maximum"]);
  });

  test("compares by the en collation whatever the host's locale", () => {
    expect(["maxItems", "maximum", "aa", "z"].sort(keyComparator("locale"))).toEqual([
      "aa",
      "maximum",
      "maxItems",
      "z",
    ]);
  });
});
