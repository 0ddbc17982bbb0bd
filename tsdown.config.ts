import { readFileSync } from "node:fs";
import type { UserConfig } from "tsdown";

/** What a name in `exports` or `imports` of a package.json leads to: a path, or something for each condition. */
type Target = string | { readonly [condition: string]: Target };

/** The members of a package.json that say what is built. */
interface Manifest {
  readonly exports?: Readonly<Record<string, Target>>;
  readonly imports?: Readonly<Record<string, Target>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/** The modules below `src/` that a target has under the condition of sources, without their ending; with `types`, those that have types. */
function modulesOf(target: Target, types = false): string[] {
  if (typeof target === "string") return [];
  const { "@agentprint/source": source } = target;
  const below = Object.values(target).flatMap((each) => modulesOf(each, types));
  return typeof source === "string" && source.startsWith("./src/") && (!types || "types" in target)
    ? [source.slice("./src/".length, -".ts".length), ...below]
    : below;
}

/** The files below `dist/` that a target names, without their ending. */
function builtOf(target: Target): string[] {
  if (typeof target !== "string") return Object.values(target).flatMap(builtOf);
  return target.startsWith("./dist/") ? [target.slice("./dist/".length, -".js".length)] : [];
}

/** The path of a module for each name. */
const pathsOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));

/**
 * How the package in the current folder is built: its entries are the sources that its `exports` and `imports` name, and its `bin`. The declarations
 * are made of one file at a time, without a type checker: every export has its type written out, as `pnpm typecheck` demands.
 *
 * @param more - Names of more entries, if another entry loads them by their path.
 */
export function packageConfig(more: readonly string[] = []): UserConfig {
  const { exports = {}, imports = {}, bin = {} }: Manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const declared = Object.values(pathsOf(modulesOf({ ...exports, ...imports }, true)));
  return {
    entry: pathsOf([...modulesOf({ ...exports, ...imports }), ...builtOf(bin), ...more]),
    format: "esm",
    target: "es2023",
    fixedExtension: false,
    dts: declared.length > 0 && { generator: "oxc", entry: declared },
    sourcemap: true,
    treeshake: { moduleSideEffects: false }, // else declarations import libraries that they do not name
    // Which file such a name leads to is chosen when it is loaded.
    deps: { neverBundle: Object.keys(imports).filter((name) => builtOf(imports[name] ?? "").length > 0) },
    failOnWarn: true,
    report: false,
    outputOptions: { comments: { jsdoc: false } },
  };
}

export default packageConfig();
