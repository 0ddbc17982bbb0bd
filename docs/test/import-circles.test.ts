import { existsSync, globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

/** The files that each file imports. */
type Graph = ReadonlyMap<string, readonly string[]>;

const roots = globSync(["packages/*", "apps/*", "fixtures"], { cwd: REPOSITORY })
  .filter((root) => existsSync(`${REPOSITORY}${root}/src`))
  .sort();

/** The modules that a module imports values or types from. */
function importsOf(text: string): string[] {
  const source = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier && ts.isStringLiteral(specifier)) found.push(specifier.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The module that a declaration imports or exports from, a dynamic import loads, or a type is imported from. */
function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments[0];
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
  return undefined;
}

/** The graph of the modules below `src` of a package. */
function graphOf(root: string): Graph {
  const files = globSync(`${root}/src/**/*.ts`, { cwd: REPOSITORY }).sort();
  const known = new Set(files);
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
      return [file, targets.filter((target) => known.has(target))];
    }),
  );
}

/** The sources that a member of `imports` in a package.json leads to, under any condition. */
function sourcesIn(target: unknown): string[] {
  if (typeof target === "string") return [target];
  return Object.values(target ?? {}).flatMap(sourcesIn);
}

/** The shortest circles of imports, one for each file that closes a circle. */
function circlesIn(graph: Graph): string[] {
  const circles = [...graph.keys()].flatMap((start) => shortestCircle(graph, start));
  return [...new Set(circles)].sort();
}

function shortestCircle(graph: Graph, start: string): string[] {
  const paths: string[][] = [[start]];
  const seen = new Set<string>();
  for (const path of paths) {
    for (const next of graph.get(path.at(-1) as string) ?? []) {
      if (next === start) return [toText(path)];
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return [];
}

/** A circle from its first file in the order of the alphabet, so that it reads the same wherever the search began. */
function toText(circle: readonly string[]): string {
  const first = circle.indexOf([...circle].sort()[0] as string);
  const turned = [...circle.slice(first), ...circle.slice(0, first)];
  return [...turned, turned[0]].join(" → ");
}

describe("finding circles", () => {
  test("reads every way to import a module, for a type too", () => {
    const text = `
      import a, { type A } from "./a.ts";
      import { type B } from "./b.ts";
      import type { C } from "./c.ts";
      import "./d.ts";
      export { type E } from "./e.ts";
      export * from "./f.ts";
      export const g = (): Promise<import("./g.ts").G> => import("./h.ts");`;
    expect(importsOf(text)).toEqual([..."abcdefgh"].map((name) => `./${name}.ts`));
  });

  test("names each circle once", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["a"]],
      ["d", ["d"]],
    ]);
    expect(circlesIn(graph)).toEqual(["a → b → c → a", "d → d"]);
  });

  test("reads every package that has sources", () => {
    expect(roots).toContain("packages/canonical-json");
    for (const root of roots) expect(graphOf(root).size).toBeGreaterThan(0);
  });
});

test.each(roots)("the modules of %s import one another without a circle, types too", (root) => {
  expect(circlesIn(graphOf(root))).toEqual([]);
});
