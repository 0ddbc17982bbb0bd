/** Writes the tables of what is seen into the README: changes one thing at a time in real agents, and notes what comes of it. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { README, rowOf } from "../test/one-change/observe.ts";
import { TABLES } from "../test/one-change/tables.ts";
import { mastraChanges } from "../test/slow/mastra-changes.ts";

let text = readFileSync(README, "utf8");
for (const [heading, changes] of [...TABLES, ["Mastra", mastraChanges] as const]) {
  const rows = [["change", "outcome"], ["---", "---"], ...(await Promise.all(changes.map(rowOf)))];
  const table = rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
  const place = new RegExp(`(\\n#### ${heading}\\n\\n)(?:\\|.*\\n)*`);
  if (!place.test(text)) throw new Error(`the README has no heading ${heading}`);
  text = text.replace(place, (_all, head: string) => head + table);
}
writeFileSync(README, text);
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
execFileSync(join(ROOT, "node_modules/.bin/biome"), ["format", "--write", fileURLToPath(README)], { cwd: ROOT });
