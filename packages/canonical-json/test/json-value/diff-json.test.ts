import {
  canonicalize,
  diffJson,
  fromPointer,
  type JsonChange,
  type JsonValue,
  pairByPosition,
} from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyJson } from "./arbitraries.ts";

function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  return fromPointer(pointer).reduce<JsonValue | undefined>((inner, name) => Object(inner)[name], value);
}

/** Returns a copy in which the value at a path is replaced, or removed if there is no replacement. */
function withValueAt(value: JsonValue, path: readonly string[], replacement: JsonValue | undefined): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return replacement ?? null;
  const inner = rest.length === 0 ? replacement : withValueAt(Object(value)[name], rest, replacement);
  const others = Object.entries(Object(value)).filter(([other]) => other !== name);
  return Object.fromEntries(inner === undefined ? others : [...others, [name, inner]]) as JsonValue;
}

function nested(depth: number, inside: JsonValue): JsonValue {
  return Array.from({ length: depth }).reduce<JsonValue>((value) => [value], inside);
}

describe("diffJson", () => {
  test.each<[string, JsonValue | undefined, JsonValue | undefined, JsonChange[]]>([
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
    expect(diffJson(before, after)).toEqual(changes);
  });

  test("an object that is new or gone is reported member by member with expandObjects", () => {
    expect(diffJson({ a: {} }, { a: {}, b: { c: { d: 1 }, e: {} } }, { expandObjects: true })).toEqual([
      { pointer: "/b/c/d", after: 1 },
      { pointer: "/b/e", after: {} },
    ]);
    expect(diffJson({ b: { c: [1] } }, {}, { expandObjects: true })).toEqual([{ pointer: "/b/c", before: [1] }]);
  });

  test.each([false, true])(
    "is empty if and only if the values are equal, and reports the actual values (expandObjects %s)",
    (expandObjects) => {
      fc.assert(
        fc.property(anyJson, anyJson, (before, after) => {
          const changes = diffJson(before, after, { expandObjects });
          expect(changes.length === 0).toBe(canonicalize(before) === canonicalize(after));
          for (const change of changes) {
            if ("before" in change) expect(valueAt(before, change.pointer)).toBe(change.before);
            if ("after" in change) expect(valueAt(after, change.pointer)).toBe(change.after);
          }
        }),
        { numRuns: runs(200) },
      );
    },
  );

  test("applied to the value before, the changes give the value after", () => {
    const anyTree = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.integer({ max: 3, min: 0 }),
        fc.dictionary(fc.constantFrom("a", "b", "__proto__", ""), tie("tree")),
      ),
    })).tree;
    fc.assert(
      fc.property(anyTree, anyTree, (before, after) => {
        const result = diffJson(before, after).reduce(
          (value, change) => withValueAt(value, fromPointer(change.pointer), change.after),
          before,
        );
        expect(canonicalize(result)).toBe(canonicalize(after));
      }),
      { numRuns: runs(200) },
    );
  });

  test("pointers stay in proportion: below a name of a megabyte all changes are reported as one", () => {
    const many = (value: string) =>
      Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, value]));
    const long = "n".repeat(1_000_000);
    expect(diffJson({ [long]: many("a"), x: 1 }, { [long]: many("b"), x: 2 })).toEqual([
      { pointer: `/${long}`, before: many("a"), after: many("b") },
      { pointer: "/x", before: 1, after: 2 },
    ]);
  });

  test("pointers stay in proportion: a hundred thousand changes are reported in coarser steps, and none is left out", () => {
    const key = "n".repeat(500);
    const many = (value: number) =>
      Object.fromEntries(
        Array.from({ length: 10 }, (_, i) => [
          i,
          { [key]: Object.fromEntries(Array.from({ length: 10_000 }, (_, j) => [j, value])) },
        ]),
      );
    const [before, after] = [many(1), many(2)];
    expect(diffJson(before, after)).toEqual(
      Array.from({ length: 10 }, (_, index) => ({
        pointer: `/${index}/${key}`,
        before: before[index]?.[key],
        after: after[index]?.[key],
      })),
    );
  });

  test("below 256 levels the whole difference is one change", () => {
    const [change, ...others] = diffJson(nested(300, [1, 2]), nested(300, [3, 4]));
    expect(others).toEqual([]);
    expect(change?.pointer).toBe("/0".repeat(256));
    expect(change?.after).toEqual(nested(44, [3, 4]));
    expect(diffJson(nested(20_000, 1), nested(20_000, 2))).toHaveLength(1);
  });

  test("elements are compared as the caller pairs them", () => {
    const pairElements = (before: readonly JsonValue[], after: readonly JsonValue[]) =>
      pairByPosition(before.toReversed(), after.toReversed());
    expect(diffJson(["a", "b", "c"], ["x", "b", "c"], { pairElements })).toEqual([
      { pointer: "/2", before: "a", after: "x" },
    ]);
  });
});
