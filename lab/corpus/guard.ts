/**
 * For each upgrade that changed a tool, locks the older version, serves the newer one behind `agentprint guard`, and
 * calls every tool. Writes `guard-results.json` and the table in the guard's README. Also uses the file server behind
 * the guard through MCP Inspector's command line. `--only <server>` runs only one server's upgrades and writes nothing.
 * Exit 1: a forbidden call reached a server, or a valid call was not answered.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { askInspector } from "./src/guard/ask-inspector.ts";
import { GUARD_RESULTS, type GuardResults, withGuardTable } from "./src/guard/guard-results.ts";
import { type GuardedUpgrade, guardUpgrade } from "./src/guard/guard-upgrade.ts";
import { installServers } from "./src/install.ts";
import { readResults } from "./src/results.ts";
import { CORPUS, type Release, releasesByServer } from "./src/servers.ts";

const ROOT = new URL("../../", CORPUS);
const README = new URL("packages/guard/README.md", ROOT);

const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
if (!existsSync(new URL("node_modules/.package-lock.json", CORPUS))) await installServers();

const releases = new Map(releasesByServer().flatMap((all) => all.map((release) => [release.alias, release])));
const upgrades: GuardedUpgrade[] = [];
for (const { server, from, to, changedTools } of readResults().upgrades) {
  if (from === to || changedTools === 0 || (only !== undefined && server !== only)) continue;
  const [before, after] = [from, to].map((version) => releases.get(`${server}-${version}`) as Release);
  const guarded = await guardUpgrade(before as Release, after as Release);
  console.log(JSON.stringify(guarded));
  upgrades.push(guarded);
}
if (upgrades.length === 0) throw new Error("there was no upgrade to guard");
const inspected = ["2026.1.14", "2026.7.4"].map((version) => releases.get(`filesystem-${version}`) as Release);
const inspectorFaults = await askInspector(inspected[0] as Release, inspected[1] as Release);
console.log(`MCP Inspector behind the guard: ${inspectorFaults.length} faults ${inspectorFaults.join("; ")}`.trimEnd());
if (inspectorFaults.length > 0) process.exitCode = 1;
if (upgrades.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
if (only === undefined) {
  const results: GuardResults = {
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim(),
    node: process.versions.node,
    upgrades,
  };
  writeFileSync(GUARD_RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(README, withGuardTable(readFileSync(README, "utf8"), results));
  const biome = fileURLToPath(new URL("node_modules/.bin/biome", ROOT));
  execFileSync(biome, ["format", "--write", fileURLToPath(GUARD_RESULTS), fileURLToPath(README)]);
}
