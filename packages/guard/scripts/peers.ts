/**
 * Runs the tests and the type check of the entries with the oldest and with the newest minor of each optional peer, installed from its
 * registry, and writes the table of versions in the README. Exit 1: an entry fails with one of them.
 */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The oldest version of each peer that its range allows, with the release of the library beside it that its tests use. */
const OLDEST: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/sdk": "1.23.0",
  "@modelcontextprotocol/client": "2.0.0",
  "@modelcontextprotocol/server": "2.0.0",
  ai: "7.0.19",
  "@ai-sdk/mcp": "2.0.0",
  langchain: "1.5.0",
  "@langchain/core": "1.3.4",
  "@openai/agents": "0.20.0",
};

const PACKAGE = fileURLToPath(new URL("../", import.meta.url));
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const README = join(PACKAGE, "README.md");
const ENTRIES = ["ai-sdk", "langchain", "mcp-sdk", "openai-agents"];

interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const { peerDependencies: ranges, devDependencies } = manifestOf(PACKAGE);

/** A folder like this package, with other versions of the peers. */
function makeFolder(versions: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "guard-peers-"));
  const dependencies = { ...devDependencies, "fast-check": "*", ...versions };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], folder);
  for (const part of ["src", "test"]) cpSync(join(PACKAGE, part), join(folder, part), { recursive: true });
  mkdirSync(join(folder, "node_modules", "@agentprint"));
  const own = globSync("packages/*", { cwd: ROOT }).map((path) => [path.replace("packages/", "@agentprint/"), path]);
  for (const [name = "", path = ""] of [...own, ["vitest", "node_modules/vitest"]]) {
    symlinkSync(join(ROOT, path), join(folder, "node_modules", name));
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

/** Whether a check passes; says on the terminal why it does not. */
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

/** Checks the entries with some versions of the peers; gives the versions that were installed. */
function check(label: string, versions: Readonly<Record<string, string>>): Record<string, string> {
  const folder = makeFolder(versions);
  try {
    const installed = Object.keys(ranges).map((name) => [name, manifestOf(join(folder, "node_modules", name)).version]);
    const results = [
      ...ENTRIES.map((entry) => passes(`${label}, ${entry}`, "vitest", ["run", `test/${entry}.test.ts`], folder)),
      passes(`${label}, types`, "tsc", ["-p", "."], folder),
    ];
    if (results.includes(false)) process.exitCode = 1;
    return Object.fromEntries(installed);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const oldest = check("oldest", OLDEST);
const newest = check("newest", Object.fromEntries(Object.keys(OLDEST).map((name) => [name, ranges[name] ?? "latest"])));
const rows = Object.entries(ranges).map(([name, range]) => [`\`${name}\``, `\`${range}\``, oldest[name], newest[name]]);
const HEAD = ["peer", "versions", "oldest tested", "newest tested"];
const table = [HEAD, HEAD.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
if (process.exitCode !== 1) {
  const text = readFileSync(README, "utf8");
  writeFileSync(README, text.replace(/(<!-- peers:start -->\n).*?(<!-- peers:end -->)/s, `$1\n${table}\n\n$2`));
  run(join(ROOT, "node_modules/.bin/biome"), ["format", "--write", README], ROOT);
}
