import { diffJson, type JsonValue } from "@agentprint/canonical-json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pairElements } from "../src/index.ts";

describe("the elements of two lists that are compared", () => {
  test("are those that one list of scalars has and the other has not", () => {
    expect(pairElements(["a", "b"], ["b", "c"])).toEqual([
      { index: 0, before: "a" },
      { index: 1, after: "c" },
    ]);
    expect(pairElements(["a"], ["z", "a", null, 1])).toEqual([
      { index: 0, after: "z" },
      { index: 2, after: null },
      { index: 3, after: 1 },
    ]);
    expect(pairElements(["a", "c"], ["a", "c"])).toEqual([]);
  });

  test("are one pair where both stand at the same place", () => {
    expect(pairElements(["a", "b"], ["a", "c"])).toEqual([{ index: 1, before: "b", after: "c" }]);
  });

  test.each([
    ["another order", ["a", "b"], ["b", "a"]],
    ["an element twice", ["a", "a"], ["a"]],
    ["no scalars", [{}], [{ type: "string" }]],
    ["no scalars on one side", ["a"], [["a"]]],
  ] satisfies [string, JsonValue[], JsonValue[]][])("are paired by position where there is %s", (_, before, after) => {
    expect(diffJson(before, after, { pairElements })).toEqual(diffJson(before, after));
  });

  test("pairs are absent if and only if the lists are the same, and each place is named once", () => {
    const list = fc.array(fc.oneof(fc.constantFrom("a", "b", "c", "d", 1, null), fc.constant({})), { maxLength: 6 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const pairs = pairElements(before, after);
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        if (isSame) expect(pairs).toEqual([]);
        expect(diffJson(before, after, { pairElements }).length === 0).toBe(isSame);
        expect(new Set(pairs.map(({ index }) => index)).size).toBe(pairs.length);
      }),
    );
  });
});
