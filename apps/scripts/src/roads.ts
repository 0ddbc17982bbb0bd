/**
 * `node apps/scripts/src/roads.ts [function …]`: prints the files that a reader passes when following a function, and
 * how many there may be (from `roads.json`, which a test also reads).
 *
 * A road begins at the file that defines the function and follows imports of values, static and dynamic, inside the
 * function's own package and `packages/json-schema`. A file that only re-exports leads on to the files that define the
 * imported names. Files in a folder `accelerators` are left out: the plain code can be read without them. A folder
 * `engine` counts once.
 *
 * The core of a road is the code that every run of the function loads: static imports, and the files that `roads.json`
 * lists because every run imports them, up to the folder of the sources. A source includes the files that the road
 * would lose without it, and the files that only serve the source.
 */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * A road: the function where it begins, its package, the file that defines a method, and the most files that it may
 * have.
 */
interface Road {
  readonly name: string;
  readonly package: string;
  readonly file?: string;
  readonly most: number;
  readonly core?: { readonly most: number; readonly with: readonly string[] };
  /** `folder` contains a folder for each source; `with` lists further files and folders that serve only one source. */
  readonly sources?: {
    readonly folder: string;
    readonly most: number;
    readonly with: Readonly<Record<string, readonly string[]>>;
  };
}

/** A road, or a part of one, and its stops: paths of files from the root, and folders that each count once. */
interface Walked {
  readonly name: string;
  readonly most: number;
  readonly stops: readonly string[];
}

const ROADS: readonly Road[] = JSON.parse(readFileSync(new URL("roads.json", import.meta.url), "utf8"));

interface Reference {
  readonly specifier: string;
  /** The imported names; undefined means the complete file. */
  readonly names: readonly string[] | undefined;
  readonly isDynamic?: true;
}

interface Source {
  readonly references: readonly Reference[];
  /** For a file that only re-exports: where each exported name comes from, and its name there. */
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
    if (argument && ts.isStringLiteral(argument)) {
      references.push({ specifier: argument.text, names: undefined, isDynamic: true });
    }
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

/** Returns the source file that a specifier leads to, if it is in one of the counted packages. */
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

/** The start of a walk, and what it skips. */
interface Walk {
  /** The package of the function. */
  readonly own: string;
  readonly isPassedBy: (path: string) => boolean;
  readonly isStatic?: boolean;
}

function collect(path: string, names: readonly string[] | undefined, walk: Walk, found: Set<string>): void {
  if (walk.isPassedBy(path)) return;
  const { references, reExports } = readSource(path);
  if (reExports) {
    for (const [name, origin] of reExports) {
      const target = !names || names.includes(name) ? resolve(origin.specifier, path, walk.own) : undefined;
      if (target) collect(target, [origin.name], walk, found);
    }
    return;
  }
  if (found.has(path) || path.includes("/accelerators/")) return;
  found.add(path);
  for (const { specifier, names: wanted, isDynamic } of references) {
    const target = walk.isStatic && isDynamic ? undefined : resolve(specifier, path, walk.own);
    if (target) collect(target, wanted, walk, found);
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

function stopsFrom(starts: readonly string[], walk: Walk): string[] {
  const found = new Set<string>();
  for (const start of starts) collect(start, undefined, walk, found);
  const files = Array.from(found, (path) => relative(REPOSITORY, path));
  return [...new Set(files.map((file) => file.replace(/\/engine\/.*$/, "/engine/")))];
}

/** Walks a road; returns the road, its core and its sources. */
function walk(road: Road): Walked[] {
  const { name, most, package: own, core, sources } = road;
  const start = definingFile(road);
  const inPackage = (path: string): string => join(REPOSITORY, own, path);
  const isBelow = (paths: readonly string[]) => (path: string) =>
    paths.map(inPackage).some((each) => path === each || path.startsWith(`${each}/`));
  const stops = stopsFrom([start], { own, isPassedBy: () => false });
  const walked = [{ name, most, stops }];
  const folders = sources ? [sources.folder] : [];
  const ofCore = core
    ? stopsFrom([start, ...core.with.map(inPackage)], { own, isPassedBy: isBelow(folders), isStatic: true })
    : [];
  if (core) walked.push({ name: `${name}, its core`, most: core.most, stops: ofCore });
  if (!sources) return walked;
  for (const source of readdirSync(inPackage(sources.folder), { withFileTypes: true })) {
    if (!source.isDirectory()) continue;
    const files = [`${sources.folder}/${source.name}`, ...(sources.with[source.name] ?? [])];
    const others = new Set([...stopsFrom([start], { own, isPassedBy: isBelow(files) }), ...ofCore]);
    const ofSource = stops.filter((stop) => !others.has(stop));
    walked.push({ name: `${name}, its source ${source.name}`, most: sources.most, stops: ofSource });
  }
  return walked;
}

/** Returns the roads, or only those with these names, each before its core and its sources. */
export function readRoads(wanted: readonly string[] = []): readonly Walked[] {
  return ROADS.filter(({ name }) => wanted.length === 0 || wanted.includes(name)).flatMap(walk);
}

if (import.meta.main) {
  const wanted = process.argv.slice(2);
  for (const { name, most, stops } of readRoads(wanted)) {
    console.log(`${name}: ${stops.length} files, at most ${most}${stops.length > most ? ": too many" : ""}`);
    if (wanted.length > 0) for (const stop of stops) console.log(`  ${stop}`);
    if (stops.length > most) process.exitCode = 1;
  }
}
