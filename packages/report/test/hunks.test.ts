import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type HunkLine, jsonHunks } from "../src/hunks.ts";

/** Returns the lines of a side, with a mark on changed ones. */
function marked(lines: readonly HunkLine[] | undefined): string[] {
  return (lines ?? []).map(({ text, isChanged }) => `${isChanged ? "! " : "  "}${text}`);
}

const shown = (before: JsonValue, after: JsonValue) =>
  jsonHunks(before, after).map((hunk) => [hunk.skipped, marked(hunk.before), marked(hunk.after)]);

test("equal values have no hunk", () => {
  expect(jsonHunks({ a: [1, {}, []] }, { a: [1, {}, []] })).toEqual([]);
});

test("two texts are one line next to another", () => {
  expect(shown("high", "low")).toEqual([[0, ['! "high"'], ['! "low"']]]);
});

test("a difference has two lines around it, and says how many are left out", () => {
  const schema = (maximum: number) => ({ a: {}, b: [], c: ['x, "y": {'], limit: { maximum, type: "integer" }, z: 1 });
  const side = (maximum: number) => [
    "    ],",
    '    "limit": {',
    `!     "maximum": ${maximum},`,
    '      "type": "integer"',
    "    },",
  ];
  expect(shown(schema(100), schema(50))).toEqual([[5, side(100), side(50)]]);
});

test("differences that are far from each other are hunks of their own", () => {
  const list = (first: number, last: number) => [
    first,
    ...Array.from({ length: 9 }, (_, index) => `same ${index}`),
    last,
  ];
  const hunks = jsonHunks(list(1, 2), list(3, 4));
  expect(hunks.map(({ skipped }) => skipped)).toEqual([0, 5]);
  expect(marked(hunks[0]?.before)).toEqual(["  [", "!   1,", '    "same 0",', '    "same 1",']);
  expect(marked(hunks[1]?.after)).toEqual(['    "same 7",', '    "same 8",', "!   4", "  ]"]);
});

test("a line that one side has more is changed on that side alone", () => {
  expect(shown(["a", "c"], ["a", "b", "c"])).toEqual([
    [0, ["  [", '    "a",', '    "c"', "  ]"], ["  [", '    "a",', '!   "b",', '    "c"', "  ]"]],
  ]);
  expect(shown(["a", "b", "c"], ["b", "d"])).toEqual([
    [0, ["  [", '!   "a",', '    "b",', '!   "c"', "  ]"], ["  [", '    "b",', '!   "d"', "  ]"]],
  ]);
});

test("values that differ have a hunk, and the lines around it are the same on both sides", () => {
  const value = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
  fc.assert(
    fc.property(value, value, (before, after) => {
      const hunks = jsonHunks(before, after);
      const around = (side: "after" | "before") =>
        hunks.flatMap((hunk) => hunk[side].filter(({ isChanged }) => !isChanged).map(({ text }) => text));
      expect(around("before")).toEqual(around("after"));
      expect(hunks.length > 0).toBe(canonicalize(before) !== canonicalize(after));
    }),
  );
});

test("what nobody sees is an escape, and deep, long and many lines are cut", () => {
  expect(marked(jsonHunks("a\u202eb", "a")[0]?.before)).toEqual(['! "a\\u202eb"']);
  const deep = JSON.parse(`${"[".repeat(2000)}1${"]".repeat(2000)}`) as JsonValue;
  const [hunk] = jsonHunks(deep, 1);
  expect(hunk?.before).toHaveLength(201);
  expect(hunk?.before.at(-1)?.text).toBe("…");
  expect(Math.max(...(hunk?.before ?? []).map(({ text }) => text.length))).toBeLessThan(40);
  const [long] = jsonHunks("a".repeat(5000), "b");
  expect(long?.before[0]?.text).toHaveLength(2001);
  const many = (prefix: string) => Array.from({ length: 300 }, (_, index) => `${prefix}${index % 3}`);
  expect(jsonHunks(many("a"), [...many("b"), ...many("a")])).toHaveLength(1);
});
