import { strict as assert } from "node:assert";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LocalRegistry } from "@agentprint/testing/npm-registry/local-registry";
import { manifestIn } from "../packed-packages.ts";
import { oldestNode } from "./command-on-nodes.ts";
import { entriesOf, loadEntries, type Runtime } from "./entries.ts";
import { nodeOf } from "./node-of.ts";
import { makeProject, type Project } from "./project.ts";
import { checkTypes } from "./types.ts";

const NEWEST_NODE = "26";
const COMPILERS = ["5.9.3", "6.0.3", "7.0.2"];
const TOOLS = ["bun@1.4.5", "deno@2.9.6", "vite@8.3.8"];

/**
 * Installs each package alone, and loads its entries and starts its commands on the oldest Node that it promises to run
 * on, and on the newest.
 */
export function useEachAlone(folder: string, registry: LocalRegistry, versions: ReadonlyMap<string, string>): void {
  for (const [name, version] of versions) {
    const project = makeProject(join(folder, name), registry);
    project.install(`${name}@${version}`);
    const { peerDependencies = {}, bin = {} } = manifestIn(join(project.folder, "node_modules", name));
    for (const wanted of [oldestNode(project, name), NEWEST_NODE]) {
      const node = nodeOf(wanted);
      const label = `${name} alone, Node ${wanted}`;
      loadEntries(project, { label, program: node }, entriesOf(project, name), Object.keys(peerDependencies));
      for (const path of Object.values(bin)) project.run(node, [join("node_modules", name, path), "--help"]);
    }
  }
}

/** Checks the types of every entry with each TypeScript version, in a project where all packages are installed. */
export function checkWithCompilers(folder: string, project: Project, entries: readonly string[]): void {
  for (const version of COMPILERS) {
    const compiler = makeProject(join(folder, version));
    compiler.install(`typescript@${version}`);
    checkTypes(project, `TypeScript ${version}`, compiler.bin("tsc"), entries);
  }
}

/** Loads every entry with Node 22, Bun and Deno, and bundles the portable ones for browsers with Vite. */
export function useRuntimes(folder: string, project: Project, entries: readonly string[]): void {
  const tools = makeProject(folder);
  tools.install(...TOOLS);
  const runtimes: readonly Runtime[] = [
    { label: "Node 22", program: nodeOf("22") },
    { label: "Bun", program: tools.bin("bun") },
    {
      label: "Deno",
      program: tools.bin("deno"),
      words: ["run", "--allow-all", "--node-modules-dir=manual", "--quiet"],
    },
  ];
  for (const runtime of runtimes) loadEntries(project, runtime, entries);
  bundle(project, tools.bin("vite"), entries);
}

/** Entries that need Node's files, processes or databases. */
const NEEDS_NODE =
  /^@agentprint\/(content-hash\/node|golden-vectors|launch|guard|registry-api|recorder|trail-store)(\/|$)|\/(mastra|langgraph|dbos|openai-agents|langchain|mcp-sdk)$/;

/** Bundles entries for browsers with Vite; the bundle must run, and require no module of Node. */
function bundle(project: Project, vite: string, entries: readonly string[]): void {
  const portable = entries.filter((entry) => !NEEDS_NODE.test(entry) && !entry.endsWith(".json"));
  const lines = portable.map((entry, index) => `import * as entry${index} from "${entry}";`);
  const all = portable.map((_, index) => `Object.keys(entry${index}).length`).join(", ");
  mkdirSync(join(project.folder, "site"));
  writeFileSync(join(project.folder, "site/index.html"), '<script type="module" src="./main.js"></script>\n');
  writeFileSync(join(project.folder, "site/main.js"), `${lines.join("\n")}\nglobalThis.exportsOfEntries = [${all}];\n`);
  // Without the code that loads chunks in a page, the bundle also runs in Node.
  writeFileSync(join(project.folder, "site/vite.config.mjs"), "export default { build: { modulePreload: false } };\n");
  const { stdout, stderr } = project.run(vite, ["build", "site", "--outDir", "built"]);
  assert.doesNotMatch(stdout + stderr, /externalized for browser compatibility/);
  const [script = ""] = globSync("site/built/assets/*.js", { cwd: project.folder });
  const code = readFileSync(join(project.folder, script), "utf8");
  assert.doesNotMatch(code, /["']node:/);
  const print = `import("./${script}").then(() => console.log(exportsOfEntries.length, exportsOfEntries.includes(0)));`;
  assert.equal(project.run(process.execPath, ["-e", print]).stdout.trim(), `${portable.length} false`);
  console.log(`Vite: ${portable.length} entries in ${Math.round(code.length / 1000)} KB`);
}
