/**
 * `node apps/scripts/src/weights.ts [function …]`: prints the size of one named import, bundled and minified with
 * esbuild and compressed with gzip, and its budget. `--types`: prints the time to type-check the first example of each
 * README, compared with an empty project with zod.
 *
 * Both use the packed packages, so build first. The import is the one that the package's README shows.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { packPackages, publicPackages, REPOSITORY } from "./packed-packages.ts";

const BYTES_PER_KB = 1024;
const KB_PER_MB = 1024;

/** Budgets in KB; each row is measured for browsers and for Node. */
const BUDGETS: readonly {
  /** `*` for every export of the package. */
  readonly name: string;
  readonly folder: string;
  readonly kilobytes: number;
  /** The budget for Node, if it differs. */
  readonly onNode?: number;
}[] = [
  { name: "canonicalize", folder: "canonical-json", kilobytes: 6 },
  { name: "hashCanonical", folder: "canonical-json", kilobytes: 9 },
  { name: "computeHash", folder: "trail", kilobytes: 10 },
  { name: "verifyChain", folder: "trail", kilobytes: 18 },
  { name: "pinTools", folder: "tool-pins", kilobytes: 12 },
  // Of this, signals in prose weigh 5 KB, and likely renames 1 KB.
  { name: "compareTools", folder: "tool-pins", kilobytes: 22, onNode: 20 },
  { name: "*", folder: "tool-pins", kilobytes: 26, onNode: 23 },
  { name: "fingerprintTool", folder: "mcp-lock", kilobytes: 16 },
  { name: "parseManifest", folder: "manifest", kilobytes: 110 },
  { name: "compareSchemas", folder: "schema-diff", kilobytes: 33 },
  // Of this, redacting launches, so that no secret gets into a report, weighs 6 KB. Proving schema changes weighs 26
  // KB: openings are 3 KB of it, causes and the effects of edits 2 KB. Signals in values that vary weigh 3 KB.
  { name: "checkLock", folder: "mcp-lock", kilobytes: 71.2, onNode: 69.1 },
  // Without the prover, which is loaded only if a tool changed.
  { name: "checkLockLazily", folder: "mcp-lock", kilobytes: 60 },
];

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Installs the packed packages into a folder's `node_modules`, with links to their dependencies. */
function installPacked(project: string): void {
  const tarballs = join(project, "tarballs");
  mkdirSync(tarballs);
  const modules = join(project, "node_modules");
  const names = [...publicPackages()].filter(([, folder]) => /^packages\W/.test(folder)).map(([name]) => name);
  for (const [name, tarball] of packPackages(names, tarballs)) {
    const unpacked = mkdtempSync(join(project, "unpacked-"));
    execFileSync("tar", ["-xzf", tarball, "-C", unpacked]);
    link(join(unpacked, "package"), join(modules, name));
  }
  for (const folder of globSync("packages/*", { cwd: REPOSITORY })) {
    const { dependencies, devDependencies, peerDependencies } = readManifest(join(REPOSITORY, folder));
    for (const name of Object.keys({ ...devDependencies, ...peerDependencies, ...dependencies })) {
      link(join(REPOSITORY, folder, "node_modules", name), join(modules, name));
    }
  }
  link(join(REPOSITORY, "node_modules/@types/node"), join(modules, "@types/node"));
}

/** Links a folder unless the name exists already: a packed package takes precedence over its sources. */
function link(target: string, path: string): void {
  if (existsSync(path) || !existsSync(target)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(realpathSync(target), path);
}

/** Returns the specifier from which a package's README imports a name. */
function documentedSpecifier(folder: string, name: string): string | undefined {
  const readme = readFileSync(join(REPOSITORY, "packages", folder, "README.md"), "utf8");
  for (const [, names = "", specifier = ""] of readme.matchAll(/^import \{([^}]*)\} from "([^"]+)";$/gm)) {
    if (names.split(",").some((imported) => imported.trim() === name)) return specifier;
  }
  return undefined;
}

/** Returns the size of the files that a page loads for an import; code that is imported later is in other files. */
async function weigh(project: string, name: string, specifier: string, platform: "browser" | "node"): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export ${name === "*" ? name : `{ ${name} }`} from "${specifier}";`, resolveDir: project },
    bundle: true,
    minify: true,
    format: "esm",
    platform,
    splitting: true,
    outdir: project,
    absWorkingDir: project,
    metafile: true,
    write: false,
    logLevel: "silent",
    nodePaths: [join(project, "node_modules")],
  });
  const loaded = new Set(["stdin.js"]);
  for (const file of loaded) {
    const { imports = [] } = metafile.outputs[file] ?? {};
    for (const { path, kind, external } of imports) if (kind === "import-statement" && !external) loaded.add(path);
  }
  const files = outputFiles.filter(({ path }) => loaded.has(relative(project, path)));
  if (files.length < loaded.size) throw new Error(`esbuild wrote only ${files.length} of ${[...loaded].join(", ")}`);
  return files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0) / BYTES_PER_KB;
}

async function checkWeights(project: string, wanted: readonly string[]): Promise<boolean> {
  let isWithin = true;
  console.log("| function | import | browser KB | node KB | budget KB | |\n| --- | --- | --- | --- | --- | --- |");
  for (const { name, folder, kilobytes, onNode = kilobytes } of BUDGETS) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const specifier = name === "*" ? `@agentprint/${folder}` : documentedSpecifier(folder, name);
    if (specifier === undefined) {
      isWithin = false;
      console.log(`| ${name} | missed: packages/${folder}/README.md does not import it | | | ${kilobytes} | ✗ |`);
      continue;
    }
    let weights: readonly [browser: number, node: number];
    try {
      weights = [await weigh(project, name, specifier, "browser"), await weigh(project, name, specifier, "node")];
    } catch (error) {
      isWithin = false;
      console.log(`| ${name} | missed: ${String(error).replaceAll("\n", " ")} | | | ${kilobytes} | ✗ |`);
      continue;
    }
    const fits = weights[0] <= kilobytes && weights[1] <= onNode;
    if (!fits) isWithin = false;
    const figures = weights.map((weight) => weight.toFixed(1)).join(" | ");
    const budget = onNode === kilobytes ? kilobytes : `${kilobytes}, ${onNode}`;
    console.log(`| ${name} | ${specifier} | ${figures} | ${budget} | ${fits ? "" : "✗"} |`);
  }
  return isWithin;
}

/** Returns the figures of `tsc --extendedDiagnostics` for one file in its own folder. */
function checkTypes(project: string, code: string): { instantiations: number; megabytes: number; errors: string } {
  const folder = mkdtempSync(join(project, "types-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "quick-start.ts"), code);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "ES2023",
    module: "NodeNext",
    types: ["node"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  // With several threads, each would instantiate the types that they share.
  const options = ["-p", folder, "--extendedDiagnostics", "--singleThreaded"];
  const { stdout, error } = spawnSync(join(REPOSITORY, "node_modules/.bin/tsc"), options, { encoding: "utf8" });
  if (error !== undefined) throw error;
  const figure = (label: string) => Number(new RegExp(`^${label}:\\s+(\\d+)`, "m").exec(stdout)?.[1]);
  return {
    instantiations: figure("Instantiations"),
    megabytes: figure("Memory used") / KB_PER_MB,
    errors: stdout.match(/error TS\d+/g)?.join(", ") ?? "",
  };
}

function printTypes(project: string): void {
  console.log("| quick start | instantiations | memory MB | |\n| --- | --- | --- | --- |");
  const zod = 'import { z } from "zod";\nexport const schema = z.object({});\n';
  const quickStarts = globSync("packages/*/README.md", { cwd: REPOSITORY }).map((readme) => {
    const [, code = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(REPOSITORY, readme), "utf8")) ?? [];
    return [dirname(readme), code] as const;
  });
  for (const [name, code] of [["an empty project with zod", zod] as const, ...quickStarts.sort()]) {
    const { instantiations, megabytes, errors } = checkTypes(project, `${code}\nexport {};\n`);
    console.log(`| ${name} | ${instantiations} | ${megabytes.toFixed(0)} | ${errors} |`);
  }
}

const { values, positionals } = parseArgs({ options: { types: { type: "boolean" } }, allowPositionals: true });
const project = realpathSync(mkdtempSync(join(tmpdir(), "weights-")));
try {
  installPacked(project);
  if (values.types) printTypes(project);
  else if (!(await checkWeights(project, positionals))) process.exitCode = 1;
} finally {
  rmSync(project, { recursive: true });
}
