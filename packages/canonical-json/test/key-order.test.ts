import { canonicalize, keyComparator } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const objectOf = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 0]));
const keysOf = (json: string) =>
  [...json.matchAll(/("(?:[^"\\]|\\.)*"):0/g)].map(([, key]) => JSON.parse(key as string) as string);

/** Strings that share prefixes, end early, and mix ASCII, Latin-1, BMP and astral characters. */
const key = fc
  .tuple(
    fc.constantFrom("", "prefix_", "prefix_long_"),
    fc.string({ unit: fc.constantFrom("a", "b", "A", "0", "\u0000", "é", "ÿ", "\ue000", "😀", "一"), maxLength: 7 }),
  )
  .map(([prefix, rest]) => prefix + rest);
const latinKey = fc
  .string({ unit: fc.constantFrom("a", "b", "\u0000", "é", "þ"), maxLength: 12 })
  .map((text) => `p${text}`);

describe("code units", () => {
  test.each([
    ["few keys", key, 0, 32, runs(100)],
    ["many keys", key, 33, 300, runs(50)],
    ["very many keys", key, 500, 600, runs(10)],
    ["very many keys of Latin-1", latinKey, 500, 800, runs(10)],
  ])("%s are in the order of Array.prototype.sort", (_name, keys, minLength, maxLength, numRuns) => {
    fc.assert(
      fc.property(fc.uniqueArray(keys, { minLength, maxLength }), (list) => {
        expect(keysOf(canonicalize(objectOf(list)))).toEqual([...list].sort());
      }),
      { numRuns },
    );
  });

  test("a known key order is recognized, and never confused with another", () => {
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

  test("keys that agree in all the characters that the radix sort sees", () => {
    const keys = Array.from({ length: 2_000 }, (_, i) => `${"same".repeat((i % 5) * 3)}_${(i * 7919) % 2_000}`);
    expect(keysOf(canonicalize(objectOf(keys)))).toEqual([...keys].sort());
  });

  test("the same keys again, with values that JSON leaves out, and keys to be escaped", () => {
    const members = fc.dictionary(
      fc.constantFrom("a", "b", 'quo"te', "back\\slash", "tab\t", "é", "一", "z".repeat(65)),
      fc.constantFrom(0, undefined),
    );
    fc.assert(
      fc.property(members, (value) => {
        const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
        const expected = JSON.stringify(Object.fromEntries(sorted));
        for (let i = 0; i < 3; i++) expect(canonicalize(value, { profile: "ecmascript" })).toBe(expected);
      }),
    );
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

test.each(["", "Locale", "utf8", undefined])("%j is not a key order", (order) => {
  expect(() => keyComparator(order as "locale")).toThrow(expect.objectContaining({ code: "invalid-option" }));
});
