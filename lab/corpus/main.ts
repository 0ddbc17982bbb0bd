/**
 * Tries agentprint on real upgrades of MCP servers, and on hostile edits made in them, side by side with other tools.
 * Writes `results.json` and the tables in the command's README. `--reuse` reuses the last run's locks; `--seed` makes
 * other edits and writes nothing. Exit 1: with `compatible`, an edit to the contract, hints or names is not caught by a
 * check or not stopped by a guard.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { askServers } from "./src/ask.ts";
import { placeEdits } from "./src/edits/place-edits.ts";
import { installedVersion, installMcpPin, installServers, MCP_PIN_VERSION } from "./src/install.ts";
import { aiPeer } from "./src/peers/ai-peer.ts";
import { COMMON_HASH } from "./src/peers/hash-peers.ts";
import { mcpPinPeer } from "./src/peers/mcp-pin.ts";
import { Random } from "./src/random.ts";
import { withReleaseTable } from "./src/release-table.ts";
import { type CorpusResults, formatResults, RESULTS, SEED } from "./src/results.ts";
import { CORPUS } from "./src/servers.ts";
import { summarizeEdits, summarizeServer } from "./src/summarize.ts";
import { PROVEN_LAYERS, withTables } from "./src/tables.ts";
import { tryEdits } from "./src/try-edits.ts";
import { compareUpgrades, type Upgrade } from "./src/upgrades.ts";

const ROOT = new URL("../../", CORPUS);
const README = new URL("apps/cli/README.md", ROOT);
const RELEASE_README = new URL("packages/release/README.md", ROOT);

const { values } = parseArgs({
  options: { reuse: { type: "boolean", default: false }, seed: { type: "string", default: String(SEED) } },
});
const seed = Number(values.seed);

if (!values.reuse) await installServers();
const python = await installMcpPin();
const peers = [
  COMMON_HASH,
  await aiPeer(installedVersion("ai")),
  mcpPinPeer(python, MCP_PIN_VERSION, "strict"),
  mcpPinPeer(python, MCP_PIN_VERSION, "graded"),
];
const servers = await askServers(values.reuse, (line) => console.error(line));
const pairs = servers.flatMap(({ releases }) =>
  releases.slice(1).map((after, index): Upgrade => [releases[index] as Upgrade[0], after]),
);
const compared = await compareUpgrades(pairs, peers);
const upgradable = servers.filter(({ releases }) => new Set(releases.map(({ version }) => version)).size > 1);
const edits = placeEdits(
  upgradable.map(({ releases }) => releases),
  new Random(seed),
);
const tried = await tryEdits(edits, peers);

const results: CorpusResults = {
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim(),
  node: process.versions.node,
  seed,
  servers: servers.map(summarizeServer),
  peers: compared.peers,
  upgrades: compared.upgrades,
  edits: summarizeEdits(
    tried,
    peers.map(({ id }) => id),
  ),
};
if (seed === SEED) {
  writeFileSync(RESULTS, formatResults(results));
  writeFileSync(README, withTables(readFileSync(README, "utf8"), results));
  writeFileSync(RELEASE_README, withReleaseTable(readFileSync(RELEASE_README, "utf8"), results));
  const biome = fileURLToPath(new URL("node_modules/.bin/biome", ROOT));
  execFileSync(biome, ["format", "--write", fileURLToPath(README), fileURLToPath(RELEASE_README)]);
}

const missed = tried.filter(
  ({ recipe, isCaught, judgements }) =>
    PROVEN_LAYERS.includes(recipe.layer) && !(isCaught && judgements.compatible.stopsGuard),
);
for (const { recipe, server, isCaught } of missed) {
  console.log(`${isCaught ? "not stopped" : "not caught"}: ${recipe.what}, in an upgrade of ${server}`);
  process.exitCode = 1;
}
const stopped = (preset: "strict" | "compatible" | "breaking"): number =>
  results.upgrades.filter(({ from, to, stops }) => from !== to && stops[preset]).length;
console.log(
  `${results.upgrades.filter(({ from, to }) => from !== to).length} upgrades; stopped: strict ${stopped("strict")}, compatible ${stopped("compatible")}, breaking ${stopped("breaking")}`,
);
console.log(`${tried.length} hostile edits; caught: ${tried.filter(({ isCaught }) => isCaught).length}`);
for (const preset of ["strict", "compatible", "breaking"] as const) {
  const of = (what: "failsCheck" | "stopsGuard"): number =>
    tried.filter(({ judgements }) => judgements[preset][what]).length;
  console.log(`${preset}: check stops ${of("failsCheck")}, guard stops ${of("stopsGuard")}`);
}
