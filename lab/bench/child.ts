/** Measures one comparison for the process that forked this one: `child.ts <suite> <index> all|bar`. */
import { loadedProjects } from "./loaded-projects.ts"; // first: it sees what is loaded after it
import { type Field, GATE_PART, measure } from "./measure.ts";
import type { Measured } from "./measure-apart.ts";
import { SUITES } from "./suites.ts";

const [name = "", index, field] = process.argv.slice(2);
const suite = await SUITES[name]?.();
const rows = suite?.comparisons(field === "bar" ? GATE_PART : 1);
const row = rows?.[Number(index)];
if (suite === undefined || rows === undefined || row === undefined) throw new Error("no such comparison");
const comparison = await row();
const measured: Measured = {
  title: suite.title,
  count: rows.length,
  results: comparison ? await measure(name, comparison, field as Field) : [],
  projects: loadedProjects(),
};
await suite.close?.();
// Handles that a contender leaves open must not keep the process alive.
process.send?.(measured, () => process.exit());
