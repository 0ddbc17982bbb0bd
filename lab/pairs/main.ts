/**
 * Compares real tool lists with this checkout and another one, in alternating new processes, and prints how their times
 * and reports differ: `pnpm --filter lab pairs <folder of lists> <other checkout> [rounds]`. The other checkout must be
 * installed, but not built.
 */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../bench/loaded-projects.ts";
import { median } from "../bench/measure.ts";
import type { Compared } from "./compare-pairs.ts";

const SCRIPT = fileURLToPath(new URL("compare-pairs.ts", import.meta.url));
const [lists, other, rounds = "3"] = process.argv.slice(2);

function compared(checkout: string, folder: string): Compared {
  const args = ["--conditions=@agentprint/source", SCRIPT, checkout, folder];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

if (lists === undefined || other === undefined) {
  console.error("expected a folder of lists and another checkout: pnpm --filter lab pairs <lists> <checkout>");
  process.exitCode = 2;
} else {
  const measured = Array.from({ length: Number(rounds) }, () =>
    [resolve(other), ROOT].map((checkout) => compared(checkout, resolve(lists))),
  );
  const [base = 0, ours = 0] = [0, 1].map((side) => median(measured.map((pair) => pair[side]?.seconds ?? 0)));
  const [theirs, own] = (measured[0] ?? []).map(({ digests }) => digests);
  const changed = Object.keys(own ?? {}).filter((pair) => own?.[pair] !== theirs?.[pair]);
  console.log(
    `${Object.keys(own ?? {}).length} pairs: ${base.toFixed(2)} s of the processor before, ${ours.toFixed(2)} s now`,
  );
  console.log(changed.length === 0 ? "all reports are the same" : `other reports: ${changed.join(", ")}`);
}
