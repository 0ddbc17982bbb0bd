import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";
import { type Graph, graphOf, roots } from "./module-graph.ts";

/**
 * Folders that import one another in a circle. The list only becomes shorter: a new circle is broken up, not listed.
 */
const IN_CIRCLES: Readonly<Record<string, readonly string[]>> = {
  "apps/registry": [
    "backup",
    "config",
    "consent",
    "diff",
    "elsewhere",
    "events",
    "http",
    "http/routes",
    "keys",
    "page",
    "rollback",
    "serve.ts",
    "signer",
    "store",
    "tracing.ts",
    "trail",
  ],
  "packages/canonical-json": ["accelerators", "json-value", "key-order.ts", "writer"],
  "packages/guard": ["calls", "core.ts", "event-sink.ts", "link", "lock-in-force.ts", "results", "verify"],
  "packages/mcp-lock": ["auth", "drift", "findings", "lock"],
  "packages/registry-api": ["answers", "errors.ts", "names.ts", "read-body.ts", "registry-client.ts"],
};

/** A folder of the command, and those that it imports. */
interface Row {
  readonly folder: string;
  /** Absent if it may import every folder of the rows before it. */
  readonly imports: readonly string[] | undefined;
}

/** The folders that each folder of a later row may import, whether or not its row names them. */
const GROUND: readonly string[] = ["run", "terminal", "files"];

/**
 * The folders in `apps/cli/test` that mirror no single folder of the sources: shared helpers, and tests of the complete
 * command.
 */
const OF_NO_FOLDER = ["ci", "conformance", "hostile", "long", "nightly", "slow", "support"];

/**
 * Returns the graph of the folders below `src`. A file directly in `src` counts as a folder, because it is often the
 * entry to the others.
 */
function foldersOf(root: string, files: Graph): Map<string, readonly string[]> {
  const folderOf = (file: string): string => {
    const path = posix.relative(`${root}/src`, file);
    return path.includes("/") ? posix.dirname(path) : path;
  };
  const found = new Map<string, Set<string>>();
  for (const [file, targets] of files) {
    const folder = folderOf(file);
    const imports = found.get(folder) ?? new Set();
    found.set(folder, imports);
    for (const target of targets) if (folderOf(target) !== folder) imports.add(folderOf(target));
  }
  return new Map([...found].map(([folder, imports]) => [folder, [...imports].sort()]));
}

/** Returns the folders that import themselves through others. */
function foldersInCircles(graph: Graph): string[] {
  const reached = (start: string): Set<string> => {
    const seen = new Set(graph.get(start));
    for (const folder of seen) for (const next of graph.get(folder) ?? []) seen.add(next);
    return seen;
  };
  return [...graph.keys()].filter((folder) => reached(folder).has(folder)).sort();
}

/** Returns the rows of the table that lists the command's folders. */
function readTable(): Row[] {
  const text = readFileSync(`${REPOSITORY}docs/ARCHITECTURE.md`, "utf8");
  const section = text.slice(text.indexOf("## Floors of the command"), text.indexOf("## Why each package exists"));
  return [...section.matchAll(/^\| `([^`]+)` +\| ([^|]+?) +\|/gm)].map(([, folder = "", imports = ""]) => {
    const names = [...imports.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    return { folder, imports: imports === "any folder" ? undefined : names };
  });
}

describe("finding circles of folders", () => {
  test("takes the files of a folder together, and a file directly in src by itself", () => {
    const files = new Map([
      ["p/src/index.ts", ["p/src/a/one.ts", "p/src/errors.ts"]],
      ["p/src/errors.ts", []],
      ["p/src/a/one.ts", ["p/src/a/two.ts", "p/src/b/one.ts", "p/src/errors.ts"]],
      ["p/src/a/two.ts", []],
      ["p/src/b/one.ts", ["p/src/b/c/one.ts"]],
      ["p/src/b/c/one.ts", ["p/src/a/two.ts"]],
    ]);
    const folders = foldersOf("p", files);
    expect([...folders]).toEqual([
      ["index.ts", ["a", "errors.ts"]],
      ["errors.ts", []],
      ["a", ["b", "errors.ts"]],
      ["b", ["b/c"]],
      ["b/c", ["a"]],
    ]);
    expect(foldersInCircles(folders)).toEqual(["a", "b", "b/c"]);
  });

  test("of the command lists none", () => {
    expect(Object.keys(IN_CIRCLES)).not.toContain("apps/cli");
  });
});

test.each(roots)("the folders of %s import one another without a circle that is not listed", (root) => {
  expect(foldersInCircles(foldersOf(root, graphOf(root)))).toEqual(IN_CIRCLES[root] ?? []);
});

describe("the table of the command's floors in ARCHITECTURE.md", () => {
  const rows = readTable();
  const folders = new Map(
    [...foldersOf("apps/cli", graphOf("apps/cli"))].filter(([folder]) => !folder.endsWith(".ts")),
  );

  test("has a row for each folder, the ground first", () => {
    const names = rows.map(({ folder }) => folder);
    expect(names.slice(0, GROUND.length)).toEqual(GROUND);
    expect([...names].sort()).toEqual([...folders.keys()].sort());
  });

  test.each(rows.map((row, index) => [row.folder, row, index] as const))(
    "%s imports the packages in its row, which earlier rows have",
    (folder, { imports }, index) => {
      const below = rows.slice(0, index).map((row) => row.folder);
      const found = folders.get(folder) ?? [];
      expect(found.filter((name) => !below.includes(name))).toEqual([]);
      if (imports) expect(found.filter((name) => index < GROUND.length || !GROUND.includes(name))).toEqual(imports);
    },
  );

  test("has the folders of the tests, too", () => {
    const ofTests = globSync("apps/cli/test/*/**/*.*", { cwd: REPOSITORY }).map((path) => path.split("/")[3] ?? "");
    expect([...new Set(ofTests)].filter((name) => !folders.has(name)).sort()).toEqual(OF_NO_FOLDER);
  });
});
