/** Measures one comparison for the process that forked this one: `child.ts <suite> <index> all|bar`. */
import { type Field, measure } from "./measure.ts";
import type { Measured } from "./measure-apart.ts";
import { SUITES } from "./suites.ts";

const [name = "", index, field] = process.argv.slice(2);
const suite = await SUITES[name]?.();
const comparisons = await suite?.comparisons();
const comparison = comparisons?.[Number(index)];
if (suite === undefined || comparisons === undefined || comparison === undefined) throw new Error("no such comparison");
const measured: Measured = {
  title: suite.title,
  count: comparisons.length,
  results: await measure(name, comparison, field as Field),
};
await suite.close?.();
// Whatever a contender left running does not keep the process alive.
process.send?.(measured, () => process.exit());
