import { readFileSync } from "node:fs";
import type { UserConfig } from "tsdown";

/** The target of a name in `exports` or `imports` of a package.json: a path, or a target for each condition. */
type Target = string | { readonly [condition: string]: Target };

/** The members of a package.json that determine what is built. */
interface Manifest {
  readonly exports?: Readonly<Record<string, Target>>;
  readonly imports?: Readonly<Record<string, Target>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/**
 * Returns the modules below `src/` that a target has under the condition for sources, without their extension; with
 * `types`, only those that have types.
 */
function modulesOf(target: Target, types = false): string[] {
  if (typeof target === "string") return [];
  const { "@agentprint/source": source } = target;
  const below = Object.values(target).flatMap((each) => modulesOf(each, types));
  return typeof source === "string" && source.startsWith("./src/") && (!types || "types" in target)
    ? [source.slice("./src/".length, -".ts".length), ...below]
    : below;
}

/** Returns the files below `dist/` that a target names, without their extension. */
function builtOf(target: Target): string[] {
  if (typeof target !== "string") return Object.values(target).flatMap(builtOf);
  return target.startsWith("./dist/") ? [target.slice("./dist/".length, -".js".length)] : [];
}

/** Returns the path of each named module. */
const pathsOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));

/**
 * Returns how the package in the current folder is built: its entries are its `bin` and the sources that its `exports`
 * and `imports` name. The declarations are made one file at a time, without a type checker: every export has an
 * explicit type, as `pnpm typecheck` requires.
 *
 * @param more - Names of further entries, which another entry loads by their path.
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
    treeshake: { moduleSideEffects: false }, // otherwise declarations import libraries that they do not name
    // The file that such a name leads to is chosen when it is loaded.
    deps: { neverBundle: Object.keys(imports).filter((name) => builtOf(imports[name] ?? "").length > 0) },
    failOnWarn: true,
    report: false,
    // Less to load and to bundle; names and lines stay readable.
    minify: { compress: true, mangle: false, codegen: false },
    outputOptions: { comments: { jsdoc: false } },
  };
}

export default packageConfig();
