import type { JsonValue } from "@agentprint/canonical-json";
import { anyName, anyTool } from "@agentprint/testing/lock/arbitrary-tools";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareTools, formatPins, type PinChange, parsePins, pinTools, pinToolsText } from "../src/index.ts";

const anyListing = fc
  .uniqueArray(fc.tuple(anyName, anyTool), { maxLength: 4, selector: ([name]) => name })
  .map((tools) => tools.map(([name, tool]) => Object.fromEntries([...Object.entries(tool), ["name", name]])));

/** Returns the same JSON with its members in reverse order. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(members.toReversed());
}

describe("any two listings", () => {
  test("are the same if and only if nothing changed", () => {
    fc.assert(
      fc.property(anyListing, anyListing, fc.boolean(), (before, after, definitions) => {
        const pins = pinTools(before, { definitions });
        for (const now of [before, after]) {
          const { same, changes } = compareTools(pins, now);
          expect(same).toBe(changes.length === 0);
        }
        expect(compareTools(pins, before).same).toBe(true);
      }),
      { numRuns: runs(50) },
    );
  });

  test("have one list of changes, in whatever order their members and tools stand", () => {
    fc.assert(
      fc.property(anyListing, anyListing, (before, after) => {
        const pins = pinTools(before, { definitions: true });
        const other = pinTools(before.map(reversed).toReversed(), { definitions: true });
        expect(compareTools(other, after.map(reversed).toReversed())).toEqual(compareTools(pins, after));
      }),
      { numRuns: runs(50) },
    );
  });

  test("have pins that are read back from their text, and from JSON", () => {
    fc.assert(
      fc.property(anyListing, fc.boolean(), (tools, definitions) => {
        const pins = pinTools(tools, { definitions });
        expect(parsePins(formatPins(pins))).toEqual(pins);
        expect(compareTools(JSON.parse(JSON.stringify(pins)), tools).same).toBe(true);
        expect(pinToolsText(JSON.stringify(tools), { definitions })).toEqual(pins);
      }),
      { numRuns: runs(50) },
    );
  });
});

test("a name of a megabyte above many changed annotations is one change", () => {
  const members = (value: number) => Object.fromEntries(Array.from({ length: 20_000 }, (_, key) => [key, value]));
  const tools = (value: number) => [{ name: "a", annotations: { ["k".repeat(1_000_000)]: members(value) } }];
  const { changes, inexact } = compareTools(pinTools(tools(0), { definitions: true }), tools(2 ** 60));
  expect(changes).toHaveLength(1);
  expect(inexact).toEqual([{ tool: "a", pointer: "" }]);
});

test("half of many tools are renamed", () => {
  const tools = (prefix: string) =>
    Array.from({ length: 20_000 }, (_, index) => ({
      name: `${index % 2 ? prefix : ""}${index}`,
      title: `${index % 9}`,
    }));
  const { changes } = compareTools(pinTools(tools("a"), { definitions: true }), tools("b"));
  expect(new Set(changes.map(({ change }) => change))).toEqual(new Set(["renamed"]));
  expect(changes).toHaveLength(10_000);
});

describe("a renamed tool", () => {
  const renamed = [{ tool: "b", change: "renamed", from: "a" }];
  const changesOf = (before: object, after: object): readonly PinChange[] =>
    compareTools(pinTools([before], { definitions: true }), [after]).changes;

  test("is found where its name stands elsewhere in it, too", () => {
    const tool = (name: string) => ({
      name,
      _meta: { name: "b" },
      inputSchema: { properties: { name: { name: "a" } } },
    });
    expect(changesOf(tool("a"), tool("b"))).toEqual(renamed);
    expect(changesOf({ name: "a", title: '"name":"b"' }, { name: "b", title: '"name":"b"' })).toEqual(renamed);
  });

  test("has nothing else that changed, not even a name in it", () => {
    const tool = (name: string) => ({ name, _meta: { name } });
    expect(changesOf(tool("a"), tool("b"))).not.toEqual(renamed);
    expect(changesOf({ name: "a", title: '"name":"a"' }, { name: "b", title: '"name":"b"' })).not.toEqual(renamed);
  });

  test("of several that are alike is the first with the first", () => {
    const listing = (...names: string[]) => names.map((name) => ({ name, title: "T" }));
    const { changes } = compareTools(
      pinTools(listing("b", "a", "c"), { definitions: true }),
      listing("z", "y", "x", "w"),
    );
    expect(changes).toEqual([
      { tool: "w", change: "renamed", from: "a" },
      { tool: "x", change: "renamed", from: "b" },
      { tool: "y", change: "renamed", from: "c" },
      { tool: "z", change: "added" },
    ]);
  });
});

test("names that Node 24 can misread (nodejs/node#63785) are different names", () => {
  const withParameter = (name: string) => ({
    name: "search",
    inputSchema: { type: "object", properties: { a: { type: "string" }, [`a${name}`]: { type: "number" } } },
  });
  const pairs = [
    ["\\", "\n"],
    ["\n", '"'],
    ['"', "\\"],
  ] as const;
  for (let round = 0; round < 20; round++) {
    for (const [before, now] of pairs) {
      const pins = pinTools([withParameter(before)], { definitions: true });
      const { same, changes } = compareTools(pins, [withParameter(now)]);
      const places = [`/inputSchema/properties/a${before}`, `/inputSchema/properties/a${now}`];
      expect({ same, places: changes.map(({ pointer }) => pointer) }).toEqual({ same: false, places: places.sort() });
    }
  }
});

test("annotations that every object inherits hide no change of hints", () => {
  const pins = pinTools([{ name: "a" }], { definitions: true });
  Object.defineProperty(Object.prototype, "annotations", {
    value: { readOnlyHint: true },
    configurable: true,
    writable: true,
  });
  try {
    const { same, changes } = compareTools(pins, [{ name: "a", annotations: { readOnlyHint: true } }]);
    expect([same, changes.map(({ pointer }) => pointer)]).toEqual([false, ["/annotations/readOnlyHint"]]);
  } finally {
    Reflect.deleteProperty(Object.prototype, "annotations");
  }
});
