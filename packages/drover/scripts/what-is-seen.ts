/**
 * Writes the README's tables of detected changes: changes one thing at a time in real agents and records the result.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { README, rowOf } from "../test/one-change/observe.ts";
import { PARTS_HEADING, partsTable } from "../test/one-change/parts.ts";
import { TABLES } from "../test/one-change/tables.ts";
import { mastraChanges } from "../test/slow/mastra-changes.ts";

function writeTable(heading: string, [head = [], ...rows]: readonly (readonly string[])[]): void {
  const text = readFileSync(README, "utf8");
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
  const place = new RegExp(`(\\n#### ${heading}\\n\\n)(?:\\|.*\\n)*`);
  if (!place.test(text)) throw new Error(`the README has no heading ${heading}`);
  writeFileSync(
    README,
    text.replace(place, (_all, before: string) => before + table),
  );
}

for (const [heading, changes] of [...TABLES, ["Mastra", mastraChanges] as const]) {
  writeTable(heading, [["change", "outcome"], ...(await Promise.all(changes.map(rowOf)))]);
}
writeTable(PARTS_HEADING, partsTable());
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
execFileSync(join(ROOT, "node_modules/.bin/biome"), ["format", "--write", fileURLToPath(README)], { cwd: ROOT });
