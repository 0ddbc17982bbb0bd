import { strict as assert } from "node:assert";
import { join } from "node:path";
import { manifestIn } from "../packed-packages.ts";
import { entriesOf, loadEntries } from "./entries.ts";
import { nodeOf } from "./node-of.ts";
import type { Project } from "./project.ts";

/** The versions that `engines` promises: the oldest, and the newest minor of each line since. */
const VERSIONS = ["20.19.0", "22", "24", "26"];
const DATABASE_NODE = "22.16.0";
const DIGEST = "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772";
// The example record of the contract, which every port knows, and a copy with different content under the same hash.
const RECORD = {
  id: "r1",
  type: "plan",
  task_id: "t1",
  agent_id: "a",
  content: "c",
  timestamp: "ts",
  prev_hash: "0".repeat(64),
  hash: "22d1b4af7cb508493d71cf0043647d1e19c99f2244f02c432354e0941e5a6d9d",
};

/** Returns the oldest version of Node that an installed package promises to run on: `20.19.0`. */
export function oldestNode(project: Project, name: string): string {
  const { engines } = manifestIn(join(project.folder, "node_modules", name));
  const [, major, minor = "0"] = /^>=(\d+)(?:\.(\d+))?$/.exec(engines?.node ?? "") ?? [];
  if (major === undefined)
    throw new Error(`${name}: expected engines.node to be ">=" and a version, received ${engines?.node}`);
  return `${major}.${minor}.0`;
}

const isAtLeast = (version: string, least: string): boolean =>
  version.localeCompare(least, "en", { numeric: true }) >= 0;

/** Runs the installed command, and loads its installed dependencies, on each line of Node that the command supports. */
export function runOnNodes(project: Project, names: Iterable<string>, absent: readonly string[]): void {
  const everything = [...names];
  for (const version of VERSIONS) {
    const node = nodeOf(version);
    const exact = project.run(node, ["--version"]).stdout.trim().slice(1);
    assert.ok(exact.startsWith(version));
    const run = (words: readonly string[], code = 0, input = "") =>
      project.run(node, [join("node_modules", "agentprint", "dist", "main.js"), ...words], { code, input });

    assert.equal(run(["hash", "-"], 0, '{"b":1,"a":2}').stdout.trim(), DIGEST);
    const text = `${JSON.stringify(RECORD)}\n`;
    run(["trail", "verify"], 0, text);
    run(["trail", "verify"], 1, text.replace('"c"', '"d"'));
    const store = `file:${version}.db`;
    const hasDatabases = isAtLeast(exact, DATABASE_NODE);
    const append = ["trail", "append", store, "x", "--task", "t", "--agent", "a", "--type", "plan"];
    const { stderr } = run(append, hasDatabases ? 0 : 2);
    if (hasDatabases) run(["trail", "verify", store, "--workers", "2"]);
    assert.match(stderr, hasDatabases ? /^$/ : /^error: [^\n]*Node 22[^\n]*\n/);

    const promised = everything.filter((name) => isAtLeast(exact, oldestNode(project, name)));
    const entries = promised.flatMap((name) => entriesOf(project, name));
    loadEntries(project, { label: `Node ${exact}`, program: node }, entries, absent);
  }
}
