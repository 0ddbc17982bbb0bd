import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffValues, type ValueChange } from "../src/drift/diff-values.ts";
import { anyJson } from "./arbitraries.ts";
import { valueAt, withValueAt } from "./json-pointer.ts";

describe("diffValues", () => {
  test.each<[string, JsonValue | undefined, JsonValue | undefined, ValueChange[]]>([
    ["the same", { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ["the same number", [1, -0], [1.0, 0], []],
    ["absent twice", undefined, undefined, []],
    ["all new", undefined, { a: 1 }, [{ pointer: "", after: { a: 1 } }]],
    ["all gone", 1, undefined, [{ pointer: "", before: 1 }]],
    ["null is a value", { a: null }, {}, [{ pointer: "/a", before: null }]],
    ["another type", { a: 1 }, [1], [{ pointer: "", before: { a: 1 }, after: [1] }]],
    [
      "members in order of their names",
      { b: 1, a: 1 },
      { a: 2, c: 3 },
      [
        { pointer: "/a", before: 1, after: 2 },
        { pointer: "/b", before: 1 },
        { pointer: "/c", after: 3 },
      ],
    ],
    ["an element taken out of the middle", ["a", "b", "c"], ["a", "c"], [{ pointer: "/1", before: "b" }]],
    ["an element put in front", ["b"], ["a", "b"], [{ pointer: "/0", after: "a" }]],
    [
      "elements put at the end",
      ["a"],
      ["a", "b", "c"],
      [
        { pointer: "/1", after: "b" },
        { pointer: "/2", after: "c" },
      ],
    ],
    [
      "elements that swap places",
      ["a", "b"],
      ["b", "a"],
      [
        { pointer: "/0", before: "a", after: "b" },
        { pointer: "/1", before: "b", after: "a" },
      ],
    ],
    ["an element that changed inside", [{ a: 1 }, 2], [{ a: 3 }, 2], [{ pointer: "/0/a", before: 1, after: 3 }]],
    ["equal elements", [1, 1], [1], [{ pointer: "/1", before: 1 }]],
    [
      "names that pointers escape",
      { "a/b~c": { "": 1 } },
      { "a/b~c": { "": 2 } },
      [{ pointer: "/a~1b~0c/", before: 1, after: 2 }],
    ],
    [
      "names of Object.prototype",
      JSON.parse('{"__proto__":{"a":1}}'),
      {},
      [{ pointer: "/__proto__", before: { a: 1 } }],
    ],
    ["names that the other inherits", { toString: 1 }, {}, [{ pointer: "/toString", before: 1 }]],
  ])("%s", (_name, before, after, changes) => {
    expect(diffValues(before, after)).toEqual(changes);
  });

  test("an object that is new or gone, member by member", () => {
    expect(diffValues({ a: {} }, { a: {}, b: { c: { d: 1 }, e: {} } }, { expandObjects: true })).toEqual([
      { pointer: "/b/c/d", after: 1 },
      { pointer: "/b/e", after: {} },
    ]);
    expect(diffValues({ b: { c: [1] } }, {}, { expandObjects: true })).toEqual([{ pointer: "/b/c", before: [1] }]);
  });

  test.each([false, true])(
    "is empty if and only if the values are equal, and tells what is there (expandObjects %s)",
    (expandObjects) => {
      fc.assert(
        fc.property(anyJson, anyJson, (before, after) => {
          const changes = diffValues(before, after, { expandObjects });
          expect(changes.length === 0).toBe(canonicalize(before) === canonicalize(after));
          for (const change of changes) {
            if ("before" in change) expect(valueAt(before, change.pointer)).toBe(change.before);
            if ("after" in change) expect(valueAt(after, change.pointer)).toBe(change.after);
          }
        }),
        { numRuns: 2000 },
      );
    },
  );

  test("applied to the old value, the changes give the new one", () => {
    const anyTree = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.integer({ max: 3, min: 0 }),
        fc.dictionary(fc.constantFrom("a", "b", "__proto__", ""), tie("tree")),
      ),
    })).tree;
    fc.assert(
      fc.property(anyTree, anyTree, (before, after) => {
        const result = diffValues(before, after).reduce(
          (value, change) => withValueAt(value, change.pointer, change.after),
          before,
        );
        expect(canonicalize(result)).toBe(canonicalize(after));
      }),
      { numRuns: 2000 },
    );
  });

  test("pointers stay in proportion: below a name of a megabyte all changes are told as one", () => {
    const many = (value: string) =>
      Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, value]));
    const long = "n".repeat(1_000_000);
    expect(diffValues({ [long]: many("a"), x: 1 }, { [long]: many("b"), x: 2 })).toEqual([
      { pointer: `/${long}`, before: many("a"), after: many("b") },
      { pointer: "/x", before: 1, after: 2 },
    ]);
  });

  test("pointers stay in proportion: a hundred thousand changes are told in coarser steps, none is left out", () => {
    const key = "n".repeat(500);
    const many = (value: number) =>
      Object.fromEntries(
        Array.from({ length: 10 }, (_, i) => [
          i,
          { [key]: Object.fromEntries(Array.from({ length: 10_000 }, (_, j) => [j, value])) },
        ]),
      );
    expect(diffValues(many(1), many(2))).toEqual(
      Array.from({ length: 10 }, (_, index) => ({
        pointer: `/${index}/${key}`,
        before: many(1)[index]?.[key],
        after: many(2)[index]?.[key],
      })),
    );
  });
});
