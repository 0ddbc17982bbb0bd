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
