/**
 * Checks causes by undoing them in all upgrades of the corpus: each cause alone must break the old tool; the new tool
 * must break nothing with all causes undone, and must still break callers with all but one undone. Writes
 * `causes-results.json` and the table in the command's README. `--reuse` reuses the last run's locks. Exit 1: a report
 * names a cause that causes no break.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkLock, createLock } from "../../packages/mcp-lock/src/index.ts";
import { askServers } from "./src/ask.ts";
import {
  CAUSES_RESULTS,
  type CausesOfServer,
  type CausesResults,
  causesTable,
  withCausesTable,
} from "./src/causes/causes-results.ts";
import { checkCauses } from "./src/causes/check-causes.ts";
import { lastRowOf } from "./src/causes/last-row.ts";
import type { AskedRelease } from "./src/edits/place-edits.ts";
import { installServers } from "./src/install.ts";
import { CORPUS } from "./src/servers.ts";

const ROOT = new URL("../../", CORPUS);
const README = new URL("apps/cli/README.md", ROOT);

const { reuse } = parseArgs({ options: { reuse: { type: "boolean", default: false } } }).values;
if (!reuse) await installServers();

const servers: CausesOfServer[] = [];
for (const { name, package: packageName, releases } of await askServers(reuse, (line) => console.error(line))) {
  const upgrades = releases.slice(1).flatMap((after, index) => {
    const before = releases[index] as AskedRelease;
    return before.version === after.version ? [] : [checkUpgrade(before, after)];
  });
  if (upgrades.length === 0) continue;
  const sum = (of: (upgrade: (typeof upgrades)[number]) => number): number =>
    upgrades.reduce((all, each) => all + of(each), 0);
  const last = upgrades.reduce((one, other) => (other.lastRow > one.lastRow ? other : one));
  const checked = upgrades.flatMap((upgrade) => upgrade.checked);
  for (const { tool, faults } of checked) for (const fault of faults) console.log(`wrong: ${name}, ${tool}: ${fault}`);
  servers.push({
    server: packageName,
    upgrades: upgrades.length,
    changedTools: sum(({ changedTools }) => changedTools),
    breaking: checked.length,
    causes: checked.reduce((all, { causes }) => all + causes, 0),
    others: checked.reduce((all, { others }) => all + others, 0),
    notIsolated: checked.filter(({ isUnknown }) => isUnknown).length,
    faults: checked.reduce((all, { faults }) => all + faults.length, 0),
    lastRow: last.lastRow,
    toolsOfLastRow: last.changedTools,
  });
}

const results: CausesResults = {
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim(),
  node: process.versions.node,
  servers,
};
writeFileSync(CAUSES_RESULTS, `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(README, withCausesTable(readFileSync(README, "utf8"), results));
const biome = fileURLToPath(new URL("node_modules/.bin/biome", ROOT));
execFileSync(biome, ["format", "--write", fileURLToPath(README), fileURLToPath(CAUSES_RESULTS)]);
console.log(causesTable(results));
if (servers.some(({ faults }) => faults > 0)) process.exitCode = 1;

function checkUpgrade(before: AskedRelease, after: AskedRelease) {
  const answers = [{ [before.name]: before.answers }, { [after.name]: after.answers }] as const;
  const drift = checkLock(createLock(answers[0]), answers[1]);
  const tools = drift.servers.flatMap(({ drifts }) =>
    drifts.flatMap((each) => ("layers" in each || ("kind" in each && each.kind === "tool") ? [each.name] : [])),
  );
  return {
    changedTools: new Set(tools).size,
    checked: checkCauses(before.entry, after.entry, answers),
    lastRow: lastRowOf(drift),
  };
}
