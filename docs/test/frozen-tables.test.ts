import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

/** Packages that export tables, such as lists of names: a check that finds none there looks in the wrong place. */
const WITH_TABLES = ["client-configs", "content-hash", "drover", "manifest", "mcp-lock", "mcp-visit", "report"];

const roots = globSync("packages/*", { cwd: REPOSITORY }).sort();

/** Returns the source files that the entries of a package lead to. */
function entriesOf(root: string): string[] {
  const { exports } = JSON.parse(readFileSync(`${REPOSITORY}${root}/package.json`, "utf8"));
  return [...new Set(sourcesIn(exports))].map((source) => `${REPOSITORY}${root}/${source}`);
}

function sourcesIn(target: unknown): string[] {
  return Object.entries(target ?? {}).flatMap(([condition, inner]) => {
    if (typeof inner !== "string") return sourcesIn(inner);
    return condition === "@agentprint/source" ? [inner] : [];
  });
}

/** Returns the objects that a package exports, except zod's schemas, which keep state in themselves. */
async function tablesOf(root: string): Promise<[name: string, table: object][]> {
  const modules = await Promise.all(entriesOf(root).map((entry) => import(entry) as Promise<object>));
  return modules
    .flatMap((module): [string, unknown][] => Object.entries(module))
    .filter((entry): entry is [string, object] => typeof entry[1] === "object" && entry[1] !== null)
    .filter(([, value]) => !("~standard" in value));
}

/**
 * Returns the places inside a value that an importer could change. The content of a frozen Map or Set can still change.
 */
function changeable(value: unknown, path: string, seen = new Set<unknown>()): string[] {
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  const own = Object.isFrozen(value) && !(value instanceof Map) && !(value instanceof Set) ? [] : [path];
  return [...own, ...Object.entries(value).flatMap(([key, member]) => changeable(member, `${path}/${key}`, seen))];
}

test("a place that can be changed is found", () => {
  const frozen = Object.freeze({ list: Object.freeze([Object.freeze({}), 1]), none: null });
  expect(changeable(frozen, "frozen")).toEqual([]);
  const table = Object.freeze({
    list: Object.freeze([{}]),
    map: Object.freeze(new Map()),
    set: Object.freeze(new Set()),
  });
  expect(changeable(table, "table")).toEqual(["table/list/0", "table/map", "table/set"]);
});

test.each(roots)("no importer can change a table that %s exports", async (root) => {
  const tables = await tablesOf(root);
  if (WITH_TABLES.some((name) => root === `packages/${name}`)) expect(tables).not.toEqual([]);
  expect(tables.flatMap(([name, table]) => changeable(table, name))).toEqual([]);
});
