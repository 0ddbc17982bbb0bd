import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { textsOf, textsOfItem } from "@agentprint/tool-pins/judgement";
import fc from "fast-check";
import { expect, test } from "vitest";

const ITEM: JsonObject = {
  name: "read",
  icons: [{ src: "https://a.example/i.png" }],
  _meta: { "a.example/id": { port: "4711" } },
  inputSchema: { enum: ["a", 1, null] },
};

test("the texts of an item come with their places, without icons and the names in _meta", () => {
  expect([...textsOfItem(ITEM)]).toEqual([
    ["/name", "name"],
    ["/name", "read"],
    ["/_meta", "_meta"],
    ["/_meta/a.example~1id/port", "port"],
    ["/_meta/a.example~1id/port", "4711"],
    ["/inputSchema", "inputSchema"],
    ["/inputSchema/enum", "enum"],
    ["/inputSchema/enum/0", "a"],
  ]);
});

test("the texts of a value are all strings and all names in it, each as often as it stands there", () => {
  const named = (value: JsonValue): string[] => {
    if (typeof value === "string") return [value];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([name, member]) => [
      ...(Array.isArray(value) ? [] : [name]),
      ...named(member),
    ]);
  };
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(textsOf(value as JsonValue)).toEqual(named(value as JsonValue));
    }),
  );
  expect(textsOf(ITEM)).toContain("https://a.example/i.png");
});

test("a value of a hundred thousand levels is read", () => {
  let deep: JsonValue = "in";
  for (let level = 0; level < 100_000; level++) deep = level % 2 === 0 ? [deep] : { a: deep };
  expect(textsOf(deep)).toHaveLength(50_001);
});
