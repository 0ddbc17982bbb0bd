/**
 * `node apps/scripts/src/roads.ts [function …]`: the files that a reader passes on the way of a function, and how many there may be
 * (`roads.json`, which a test reads, too).
 *
 * A road begins at the file that defines the function and follows imports of values, static and dynamic, inside the function's
 * own package and `packages/json-schema`. A file that only re-exports is passed through to the names that are asked for. Files
 * in a folder `accelerators` are left out: the plain code reads without them. A folder `engine` counts as one.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

/** A road: the function where it begins, its package, the file that defines a method, and the most files that it may have. */
interface Road {
  readonly name: string;
  readonly package: string;
  readonly file?: string;
  readonly most: number;
}

const ROADS: readonly Road[] = JSON.parse(readFileSync(new URL("roads.json", import.meta.url), "utf8"));

interface Reference {
  readonly specifier: string;
  /** The imported names; undefined means the whole file. */
  readonly names: readonly string[] | undefined;
}

interface Source {
  readonly references: readonly Reference[];
  /** For a file that only re-exports: where each exported name comes from, and under which name there. */
  readonly reExports: ReadonlyMap<string, { readonly specifier: string; readonly name: string }> | undefined;
}

const sources = new Map<string, Source>();

function readSource(path: string): Source {
  const known = sources.get(path);
  if (known) return known;
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const references: Reference[] = [];
  const reExports = new Map<string, { specifier: string; name: string }>();
  let onlyReExports = file.statements.length > 0;
  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement) && statement.moduleSpecifier) {
      const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
      const elements =
        statement.exportClause && ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements : [];
      if (statement.isTypeOnly) continue;
      for (const { isTypeOnly, name, propertyName } of elements) {
        if (!isTypeOnly) reExports.set(name.text, { specifier, name: (propertyName ?? name).text });
      }
      references.push({ specifier, names: undefined });
      continue;
    }
    onlyReExports = false;
    if (ts.isImportDeclaration(statement)) references.push(...importedValues(statement));
  }
  ts.forEachChild(file, function visit(node): void {
    const argument =
      ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && node.arguments[0];
    if (argument && ts.isStringLiteral(argument)) references.push({ specifier: argument.text, names: undefined });
    ts.forEachChild(node, visit);
  });
  const source = { references, reExports: onlyReExports ? reExports : undefined };
  sources.set(path, source);
  return source;
}

function importedValues({ importClause, moduleSpecifier }: ts.ImportDeclaration): Reference[] {
  const specifier = (moduleSpecifier as ts.StringLiteral).text;
  if (!importClause) return [{ specifier, names: undefined }];
  if (importClause.isTypeOnly) return [];
  const bindings = importClause.namedBindings;
  if (!bindings || ts.isNamespaceImport(bindings)) return [{ specifier, names: undefined }];
  const names = bindings.elements.filter(({ isTypeOnly }) => !isTypeOnly);
  return names.length === 0
    ? []
    : [{ specifier, names: names.map(({ name, propertyName }) => (propertyName ?? name).text) }];
}

/** The source file that a specifier means, where it lies in one of the counted packages. */
function resolve(specifier: string, from: string, own: string): string | undefined {
  if (specifier.startsWith(".")) return existing(join(dirname(from), specifier));
  if (specifier.startsWith("#")) return subpath(own, "imports", specifier);
  const [scope, name, ...rest] = specifier.split("/");
  if (scope !== "@agentprint") return undefined;
  const target = `packages/${name}`;
  if (target !== own && target !== "packages/json-schema") return undefined;
  return subpath(target, "exports", rest.length === 0 ? "." : `./${rest.join("/")}`);
}

function subpath(folder: string, field: "imports" | "exports", key: string): string | undefined {
  const manifest = JSON.parse(readFileSync(join(REPOSITORY, folder, "package.json"), "utf8"));
  let target = manifest[field]?.[key];
  while (typeof target === "object") target = target["@agentprint/source"] ?? target.node ?? target.default;
  return typeof target === "string" ? existing(join(REPOSITORY, folder, target)) : undefined;
}

const existing = (path: string): string | undefined =>
  /\.[mc]?[jt]s$/.test(path) && existsSync(path) ? path : undefined;

function collect(path: string, names: readonly string[] | undefined, own: string, found: Set<string>): void {
  const { references, reExports } = readSource(path);
  if (reExports) {
    for (const [name, origin] of reExports) {
      const target = !names || names.includes(name) ? resolve(origin.specifier, path, own) : undefined;
      if (target) collect(target, [origin.name], own, found);
    }
    return;
  }
  if (found.has(path) || path.includes("/accelerators/")) return;
  found.add(path);
  for (const { specifier, names: wanted } of references) {
    const target = resolve(specifier, path, own);
    if (target) collect(target, wanted, own, found);
  }
}

function definingFile({ name, package: folder, file }: Road): string {
  if (file !== undefined) return join(REPOSITORY, folder, file);
  if (folder === "apps/cli") return join(REPOSITORY, folder, `src/commands/${name}.ts`);
  const definition = new RegExp(`^export (async )?function\\*? ${name}\\b|^export const ${name}\\b`, "m");
  const path = globSync(`${folder}/src/**/*.ts`, { cwd: REPOSITORY }).find((file) =>
    definition.test(readFileSync(join(REPOSITORY, file), "utf8")),
  );
  if (!path) throw new Error(`${folder} defines no ${name}`);
  return join(REPOSITORY, path);
}

/** The stops of each road, by its name: paths of files from the root, and folders that count as one. */
export function readRoads(wanted: readonly string[] = []): readonly (Road & { readonly stops: readonly string[] })[] {
  return ROADS.filter(({ name }) => wanted.length === 0 || wanted.includes(name)).map((road) => {
    const found = new Set<string>();
    collect(definingFile(road), undefined, road.package, found);
    const files = Array.from(found, (path) => relative(REPOSITORY, path));
    return { ...road, stops: [...new Set(files.map((file) => file.replace(/\/engine\/.*$/, "/engine/")))] };
  });
}

if (import.meta.main) {
  const wanted = process.argv.slice(2);
  for (const { name, most, stops } of readRoads(wanted)) {
    console.log(`${name}: ${stops.length} files, at most ${most}${stops.length > most ? ": too many" : ""}`);
    if (wanted.length > 0) for (const stop of stops) console.log(`  ${stop}`);
    if (stops.length > most) process.exitCode = 1;
  }
}
