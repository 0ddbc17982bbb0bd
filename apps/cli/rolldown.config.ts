import { chmodSync, copyFileSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { type ChunkingContext, defineConfig, type OutputBundle } from "rolldown";

const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync(new URL("package.json", import.meta.url), "utf8"),
);
const INSTALLED = new Set(Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));

/**
 * Returns whether a module comes from a package that is installed next to the command. The other packages of this repository become
 * part of the command, so that a version of it is the same code wherever it is installed, and Node looks for fewer files.
 */
function isInstalled(id: string): boolean {
  if (isBuiltin(id)) return true;
  const [, name] = /^((?:@[^/]+\/)?[a-z][^/:]*)(?:\/|$)/.exec(id) ?? [];
  if (name === undefined || INSTALLED.has(name)) return name !== undefined;
  if (name.startsWith("@agentprint/")) return false;
  throw new Error(`${id}: expected the package in the dependencies of the command`);
}

/** The schema of the reports that the command prints. */
const REPORT_SCHEMA = "../../packages/report/schema/report-v1.schema.json";

/** Throws if users would install a package that nothing in the command imports. */
function refuseUnused(bundle: OutputBundle): void {
  const imported = Object.values(bundle).flatMap((file) =>
    file.type === "chunk" ? [...file.imports, ...file.dynamicImports] : [],
  );
  const isUsed = (name: string): boolean => imported.some((id) => id === name || id.startsWith(`${name}/`));
  const unused = Object.keys(dependencies).filter((name) => !isUsed(name));
  if (unused.length > 0) throw new Error(`${unused.join(", ")}: no module of the command imports them`);
}

/** The modules that every command loads. */
const ALL = ["run-process.ts"];
/** Those of them that are loaded before the compile cache is enabled, and answer `--version`. */
const FIRST = ["main.ts"];

/**
 * The modules from which a check loads the others before servers start and while they start, and commands that load a part of them.
 * Modules that the same commands need become one file: Node takes some 0.4 ms for each file, and none of these commands
 * loads what it does not use.
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

/** The ids of some modules and of those that are loaded with them. */
type Loaded = ReadonlySet<string>;

let loaded: { readonly first: Loaded; readonly all: Loaded; readonly roads: readonly Loaded[] } | undefined;

/**
 * Returns the name of the file for a module: the same for modules that the same roads need, `null` for a module that none needs.
 * The bundler divides those by what the commands share.
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

/** Returns modules, and those that they import statically. */
function loadedWith(files: readonly string[], context: ChunkingContext): Loaded {
  const found = new Set(files.map((file) => fileURLToPath(new URL(`src/${file}`, import.meta.url))));
  for (const id of found) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

export default defineConfig({
  input: {
    main: "src/main.ts",
    "serve-chains": "../../packages/recorder/dist/chain/serve-chains.js",
    "trail-worker": "src/trail/worker.ts",
  },
  platform: "node",
  external: isInstalled,
  transform: { target: "node20.19" },
  treeshake: { moduleSideEffects: false },
  plugins: [
    { name: "no-unused-dependency", generateBundle: (_options, bundle) => refuseUnused(bundle) },
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
