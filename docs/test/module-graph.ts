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

/** The modules that a module imports values or types from. */
export function importsOf(text: string, file = "module.ts"): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
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
export function graphOf(root: string): Graph {
  const files = globSync(`${root}/src/**/*.{ts,tsx}`, { cwd: REPOSITORY }).sort();
  const known = new Set(files);
  const { imports = {} } = JSON.parse(readFileSync(`${REPOSITORY}${root}/package.json`, "utf8"));
  const targetsOf = (file: string, specifier: string): string[] => {
    const mapped = specifier.startsWith("#") ? sourcesIn(imports[specifier]) : [specifier];
    const base = specifier.startsWith("#") ? root : posix.dirname(file);
    return mapped.filter((path) => path.startsWith(".")).map((path) => posix.join(base, path));
  };
  return new Map(
    files.map((file) => {
      const targets = importsOf(readFileSync(`${REPOSITORY}${file}`, "utf8"), file).flatMap((found) =>
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
