/**
 * Prints, for each choice of the levels in `compatible`, which real upgrades and which hostile edits a check stops, and
 * writes the table into the README of `@agentprint/policy`. Reuses the locks of the corpus's last run, if there are
 * any.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withPart } from "@agentprint/testing/markdown/markdown-part";
import { markdownTable } from "@agentprint/testing/markdown/markdown-table";
import { askServers } from "./src/ask.ts";
import { findingsOf } from "./src/compare.ts";
import { placeEdits } from "./src/edits/place-edits.ts";
import { installServers } from "./src/install.ts";
import { CHOICES, measureChoices } from "./src/levels/measure-choices.ts";
import { Random } from "./src/random.ts";
import { SEED } from "./src/results.ts";
import { CORPUS } from "./src/servers.ts";
import { tryEdits } from "./src/try-edits.ts";

const ROOT = new URL("../../", CORPUS);
const README = new URL("packages/policy/README.md", ROOT);

if (!existsSync(new URL("node_modules", CORPUS))) await installServers();
const servers = await askServers(true, (line) => console.error(line));
const upgrades = servers.flatMap(({ releases }) =>
  releases.slice(1).flatMap((after, index) => {
    const before = releases[index];
    if (before === undefined || before.version === after.version) return [];
    return [findingsOf({ [before.name]: before.answers }, { [after.name]: after.answers })];
  }),
);
const placed = servers.map(({ releases }) => releases).filter((all) => new Set(all.map((r) => r.version)).size > 1);
const edits = await tryEdits(placeEdits(placed, new Random(SEED)), []);
const rows = measureChoices(upgrades, edits);
const head = [
  "also an error in `compatible`",
  "stopped upgrades",
  "tools with an error in them",
  "stopped edits",
  "of contract, hints and names",
  "of prose and the rest",
];
const table = markdownTable(head, rows);
const day = new Date().toISOString().slice(0, 10);
const measured = `Measured on ${day} with ${upgrades.length} upgrades and ${edits.length} edits in the corpus (seed ${SEED}), ${CHOICES.length} choices.`;
console.log(table);
writeFileSync(README, withPart(readFileSync(README, "utf8"), "levels", `${measured}\n\n${table}`));
execFileSync(fileURLToPath(new URL("node_modules/.bin/biome", ROOT)), ["format", "--write", fileURLToPath(README)]);
