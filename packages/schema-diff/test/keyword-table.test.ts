import { expect, test } from "vitest";
import { EARLIER_SUBSCHEMA_KEYWORDS as table } from "../src/index.ts";

test("a table of keywords is read as a map", () => {
  const map = new Map([
    ["additionalItems", "schema"],
    ["items", "list"],
    ["definitions", "by-name"],
    ["dependencies", "by-name"],
  ]);
  expect([...table]).toEqual([...map]);
  expect([[...table.keys()], [...table.values()]]).toEqual([[...map.keys()], [...map.values()]]);
  expect([table.size, table.get("items"), table.has("items"), table.has("set")]).toEqual([4, "list", true, false]);
  const visited: unknown[] = [];
  table.forEach((position, keyword, whole) => void visited.push([keyword, position, whole === table]));
  expect(visited).toEqual([...map].map(([keyword, position]) => [keyword, position, true]));
  expect(() => Reflect.apply(Map.prototype.set, table, ["items", "schema"])).toThrow(TypeError);
});
