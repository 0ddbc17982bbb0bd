import * as contentHash from "@agentprint/content-hash";
import * as node from "@agentprint/content-hash/node";
import { expect, test } from "vitest";

function thawed(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, member]) => thawed(member, `${path}/${name}`));
  return Object.isFrozen(value) ? inside : [path, ...inside];
}

test("no exported table can be changed by whoever imports it", () => {
  const exported = { ...contentHash, ...node };
  expect(Object.values(exported).filter((value) => typeof value === "object").length).toBeGreaterThan(1);
  expect(Object.entries(exported).flatMap(([name, value]) => thawed(value, name))).toEqual([]);
});
