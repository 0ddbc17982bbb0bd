import { existsSync, globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";
import { REPOSITORY } from "./examples.ts";

/** The files that each file imports, or the folders that each folder imports. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** The packages and apps that have sources. */
export const roots: readonly string[] = globSync(["packages/*", "apps/*", "fixtures"], { cwd: REPOSITORY })
  .filter((root) => existsSync(`${REPOSITORY}${root}/src`))
  .sort();

/** Returns the modules from which a module imports values or types. */
export function importsOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

const known = new Map<string, Graph>();

/** Returns the graph of the modules below a package's `src`. */
export function graphOf(root: string): Graph {
  const graph = known.get(root) ?? readGraph(root);
  known.set(root, graph);
  return graph;
}

function readGraph(root: string): Graph {
  const files = globSync(`${root}/src/**/*.{ts,tsx}`, { cwd: REPOSITORY }).sort();
  const own = new Set(files);
  const { imports = {} } = JSON.parse(readFileSync(`${REPOSITORY}${root}/package.json`, "utf8"));
  const targetsOf = (file: string, specifier: string): string[] => {
    const mapped = specifier.startsWith("#") ? sourcesIn(imports[specifier]) : [specifier];
    const base = specifier.startsWith("#") ? root : posix.dirname(file);
    return mapped.filter((path) => path.startsWith(".")).map((path) => posix.join(base, path));
  };
  return new Map(
    files.map((file) => {
      const targets = importsOf(readFileSync(`${REPOSITORY}${file}`, "utf8")).flatMap((found) =>
        targetsOf(file, found),
      );
      return [file, targets.filter((target) => own.has(target))];
    }),
  );
}

/** Returns the sources that a member of `imports` in a package.json leads to, under any condition. */
function sourcesIn(target: unknown): string[] {
  if (typeof target === "string") return [target];
  return Object.values(target ?? {}).flatMap(sourcesIn);
}
