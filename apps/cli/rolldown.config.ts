import { chmodSync, copyFileSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { type ChunkingContext, defineConfig, type OutputBundle } from "rolldown";
import { bundledPackages } from "../../bundled-packages.ts";

const { name, version, peerDependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
/** Packages that may be installed next to the command, and a native driver that the PostgreSQL driver would use. */
const INSTALLED = new Set([...Object.keys(peerDependencies), "pg-native"]);

/**
 * Returns whether a module is not part of the command because it comes from Node or from a package that may be
 * installed next to the command.
 */
function isInstalled(id: string): boolean {
  if (isBuiltin(id)) return true;
  const [, name] = /^((?:@[^/]+\/)?[a-z][^/:]*)(?:\/|$)/.exec(id) ?? [];
  return name !== undefined && INSTALLED.has(name);
}

/**
 * Throws if a file of the command imports a package that is neither part of the command nor one of those that may be
 * installed next to it.
 */
function refuseMissing(bundle: OutputBundle): void {
  const imported = Object.values(bundle).flatMap((file) =>
    file.type === "chunk" ? [...file.imports, ...file.dynamicImports] : [],
  );
  const missing = imported.filter((id) => !(id in bundle) && !isInstalled(id) && !id.startsWith("#"));
  if (missing.length > 0) throw new Error(`${missing.join(", ")}: expected the package to be part of the command`);
}

/** The schema of the reports that the command prints. */
const REPORT_SCHEMA = "../../packages/report/schema/report-v1.schema.json";

/** The modules that every command loads. */
const ALL = ["run-process.ts"];
/** Those of these modules that are loaded before the compile cache is enabled; they answer `--version`. */
const FIRST = ["main.ts"];

/**
 * The modules from which a check loads others before and while servers start, and commands that load some of the same
 * modules. Modules that the same commands need become one file, because Node takes about 0.4 ms for each file, and none
 * of these commands loads unused code.
 */
const ROADS = [
  ["commands/check.ts", "compare-configs/project-folder.ts", "visit/visit-servers.ts"],
  ["check/collect.ts", "check/judge.ts", "check/write-check.ts"],
  ["commands/hash.ts"],
  ["commands/list.ts"],
  ["commands/rules.ts"],
  ["commands/show.ts"],
  ["commands/spec-hash.ts"],
  ["commands/status.ts"],
  ["commands/trail-list.ts"],
  ["commands/trail-verify.ts"],
];

/** The ids of some modules and of all modules that are loaded with them. */
type Loaded = ReadonlySet<string>;

let loaded: { readonly first: Loaded; readonly all: Loaded; readonly roads: readonly Loaded[] } | undefined;

/**
 * Returns the name of the file for a module: the same name for modules that the same commands use. For `null`, the
 * bundler chooses the files by what the commands share.
 */
function nameOfChunk(id: string, context: ChunkingContext): string | null {
  loaded ??= {
    first: loadedWith(FIRST, context),
    all: loadedWith(ALL, context),
    roads: ROADS.map((files) => loadedWith(files, context)),
  };
  if (loaded.first.has(id)) return null;
  if (loaded.all.has(id)) return "all";
  const passing = loaded.roads.map((road) => (road.has(id) ? "1" : "0")).join("");
  return passing.includes("1") ? `road-${Number.parseInt(passing, 2).toString(36)}` : null;
}

/** Returns the given modules and those that they import statically. */
function loadedWith(files: readonly string[], context: ChunkingContext): Loaded {
  const found = new Set(files.map((file) => fileURLToPath(new URL(`src/${file}`, import.meta.url))));
  for (const id of found) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

export default defineConfig({
  input: {
    main: "src/main.ts",
    "check-structure": "../../packages/trail-store/dist/database/check-structure.js",
    "serve-chains": "../../packages/recorder/dist/chain/serve-chains.js",
    "trail-worker": "src/trail/worker.ts",
  },
  platform: "node",
  external: isInstalled,
  // The `main` file of `jsonc-parser` requires other files in a way that bundlers cannot follow; its `module` file
  // imports them.
  resolve: { conditionNames: ["@agentprint/node-sqlite", "node"], mainFields: ["module", "main"] },
  transform: { target: "node20.19" },
  treeshake: { moduleSideEffects: false },
  plugins: [
    bundledPackages({ name, version }, "dist"),
    { name: "no-missing-package", generateBundle: (_options, bundle) => refuseMissing(bundle) },
    { name: "executable", writeBundle: ({ dir = "dist" }) => chmodSync(`${dir}/main.js`, 0o755) },
    { name: "schema", writeBundle: ({ dir = "dist" }) => copyFileSync(REPORT_SCHEMA, `${dir}/report-v1.schema.json`) },
  ],
  output: {
    cleanDir: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: "road", name: nameOfChunk }],
    },
  },
});
