/**
 * `pnpm --filter lab peer-versions [package …]`: runs the tests and the type check of a package's entries with the
 * oldest and the newest minor version of each optional peer, installed from its registry, and writes the table of
 * versions in the package's README. Exit 1: an entry fails with one of these versions, or does not refuse a version
 * that lacks something that the entry needs.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withPart } from "@agentprint/testing/markdown/markdown-part";

/** How a package is tried. */
interface Tried {
  /** The names of the test files that run. */
  readonly tests: readonly string[];
  /**
   * The oldest version of each peer that the package's range allows, and the matching releases of the libraries that
   * the tests use.
   */
  readonly oldest: Readonly<Record<string, string>>;
  /** Versions that an entry has to refuse, because they lack a hook that it needs. */
  readonly lacking?: Readonly<Record<string, string>>;
}

const TRIED: Readonly<Record<string, Tried>> = {
  guard: {
    tests: ["ai-sdk", "langchain", "mcp-sdk", "openai-agents"],
    oldest: {
      "@modelcontextprotocol/sdk": "1.23.0",
      "@modelcontextprotocol/client": "2.0.0",
      "@modelcontextprotocol/server": "2.0.0",
      ai: "7.0.19",
      "@ai-sdk/mcp": "2.0.0",
      langchain: "1.5.0",
      "@langchain/core": "1.3.4",
      "@langchain/langgraph": "1.4.4",
      "@openai/agents": "0.20.0",
    },
  },
  drover: {
    tests: [
      "adapter-arguments",
      "adapters",
      "ai-sdk-approval",
      "effect",
      "langgraph-checkpointer",
      "one-change/one-change",
      "openai-agents-run",
      "slow/dbos",
      "slow/declared-options",
      "slow/mastra",
      "slow/mastra-changes",
    ],
    oldest: {
      "@dbos-inc/dbos-sdk": "5.0.2",
      "@langchain/core": "1.3.4",
      "@langchain/langgraph": "1.4.4",
      "@mastra/core": "1.60.0",
      "@openai/agents": "0.20.0",
      ai: "7.0.19",
      effect: "4.0.0",
      langchain: "1.5.0",
    },
  },
  recorder: {
    tests: ["ai-sdk", "ai-sdk-streams", "langchain", "openai-agents", "openai-agents-streams", "mastra"],
    oldest: {
      "@mastra/core": "1.60.0",
      "@openai/agents": "0.20.0",
      ai: "7.0.0",
      langchain: "1.5.0",
      "@langchain/core": "1.3.4",
      "@langchain/langgraph": "1.4.4",
    },
    lacking: { ai: "6.0.326", "@openai/agents": "0.3.9", "@mastra/core": "0.24.9" },
  },
};

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface Manifest {
  readonly version: string;
  readonly imports?: object;
  readonly exports: object;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Makes a copy of a package's folder, next to the other packages, with the given versions of the peers. */
function makeFolder(name: string, versions: Readonly<Record<string, string>>): string {
  const packages = mkdtempSync(join(tmpdir(), `${name}-peers-`));
  const folder = join(packages, name);
  for (const other of readdirSync(join(ROOT, "packages"))) {
    if (other !== name) symlinkSync(join(ROOT, "packages", other), join(packages, other));
  }
  const source = join(ROOT, "packages", name);
  const { dependencies: used, devDependencies, imports, exports } = manifestOf(source);
  const declared = Object.entries({ ...used, ...devDependencies }).filter(
    ([, range]) => !range.startsWith("workspace:"),
  );
  const dependencies = { ...Object.fromEntries(declared), "fast-check": "*", ...versions };
  const manifest = { name: `@agentprint/${name}`, private: true, type: "module", imports, exports, dependencies };
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"], folder);
  for (const part of ["src", "test", "examples", "README.md"].filter((path) => existsSync(join(source, path)))) {
    cpSync(join(source, part), join(folder, part), { recursive: true });
  }
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@agentprint"));
  for (const link of readdirSync(packages)) symlinkSync(join(packages, link), join(modules, "@agentprint", link));
  for (const tool of ["typescript", "vitest"]) {
    rmSync(join(modules, tool), { recursive: true, force: true });
    symlinkSync(join(ROOT, "node_modules", tool), join(modules, tool));
  }
  const conditions = ["@agentprint/source", "module", "node", "default"];
  const config = { ssr: { resolve: { conditions } }, test: { testTimeout: 600_000 } };
  writeFileSync(join(folder, "vitest.config.mjs"), `export default ${JSON.stringify(config)};`);
  const types = { typeRoots: [join(ROOT, "node_modules/@types")], types: ["node"] };
  const tsconfig = { extends: join(ROOT, "tsconfig.base.json"), compilerOptions: types, include: ["src"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  return folder;
}

function run(program: string, args: readonly string[], cwd: string): void {
  execFileSync(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"], timeout: 600_000 });
}

/** Returns whether a check passes; prints the reason if it does not. */
function passes(what: string, tool: string, args: readonly string[], cwd: string): boolean {
  try {
    execFileSync(join(ROOT, "node_modules/.bin", tool), args, {
      cwd,
      stdio: "pipe",
      encoding: "utf8",
      timeout: 600_000,
    });
    console.log(`${what}: passed`);
    return true;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    console.error(stdout, stderr);
    console.log(`${what}: failed`);
    return false;
  }
}

/** Checks a package with some versions of the peers; returns the versions that were installed. */
function check(
  label: string,
  name: string,
  versions: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  const folder = makeFolder(name, versions);
  try {
    const peers = Object.keys(manifestOf(join(ROOT, "packages", name)).peerDependencies);
    const installed = peers.map((peer) => [peer, manifestOf(join(folder, "node_modules", peer)).version]);
    const what = `${name}, ${label}`;
    const results = [
      ...(TRIED[name]?.tests ?? []).map((test) =>
        passes(`${what}, ${test}`, "vitest", ["run", `test/${test}.test.ts`], folder),
      ),
      passes(`${what}, types`, "tsc", ["-p", "."], folder),
    ];
    return results.includes(false) ? undefined : Object.fromEntries(installed);
  } finally {
    rmSync(dirname(folder), { recursive: true });
  }
}

/** Returns whether a package's entries refuse versions that lack something that they need. */
function refuses(name: string, versions: Readonly<Record<string, string>>): boolean {
  const folder = makeFolder(name, versions);
  try {
    const results = Object.entries(versions).map(([peer, version]) =>
      passes(`${name}, ${peer} ${version} is refused`, "node", [...FROM_SOURCE, "test/older/refuse.ts", peer], folder),
    );
    return !results.includes(false);
  } finally {
    rmSync(dirname(folder), { recursive: true });
  }
}

const FROM_SOURCE = ["--conditions=@agentprint/source"];
const HEAD = ["peer", "versions", "oldest tested", "newest tested"];

const named = process.argv.slice(2);
for (const [name, { oldest: versions, lacking = {} }] of Object.entries(TRIED)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const folder = join(ROOT, "packages", name);
  const { peerDependencies: ranges } = manifestOf(folder);
  const oldest = check("oldest", name, versions);
  const newest = check(
    "newest",
    name,
    Object.fromEntries(Object.keys(versions).map((peer) => [peer, ranges[peer] ?? "latest"])),
  );
  const areRefused = Object.keys(lacking).length === 0 || refuses(name, lacking);
  if (oldest === undefined || newest === undefined || !areRefused) {
    process.exitCode = 1;
    continue;
  }
  const rows = Object.entries(ranges).map(([peer, range]) => [
    `\`${peer}\``,
    `\`${range}\``,
    oldest[peer],
    newest[peer],
  ]);
  const table = [HEAD, HEAD.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const readme = join(folder, "README.md");
  writeFileSync(readme, withPart(readFileSync(readme, "utf8"), "peers", table));
  run(join(ROOT, "node_modules/.bin/biome"), ["format", "--write", readme], ROOT);
}
