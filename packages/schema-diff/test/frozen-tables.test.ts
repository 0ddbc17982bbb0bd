import { expect, test } from "vitest";
import * as api from "../src/index.ts";

/** The places of a value that somebody could change. */
function changeable(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Object.isFrozen(value) && !(value instanceof Map) && !(value instanceof Set) ? [] : [path];
  return [...own, ...Object.entries(value).flatMap(([key, member]) => changeable(member, `${path}/${key}`))];
}

test("no importer can change a table that the package exports", () => {
  const tables = Object.entries(api).filter(([, value]) => typeof value === "object");
  expect(tables.length).toBeGreaterThan(0);
  expect(tables.flatMap(([name, table]) => changeable(table, name))).toEqual([]);
});

test("a table of keywords is read as a map", () => {
  const { EARLIER_SUBSCHEMA_KEYWORDS: table } = api;
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
