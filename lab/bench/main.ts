/**
 * `pnpm bench [--gate [--every-row]] [--json FILE] [suite …]`: measures all suites in one run. With `--gate`,
 * contenders with a bar are measured against their reference and against the build of the commit before the change: if
 * a row became slower, or misses its bar by a wide margin, the exit code is 1.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { openGate } from "./gate/open-gate.ts";
import { ROOT } from "./loaded-projects.ts";
import { digestSpeed, MACHINE, toleranceAt } from "./machine.ts";
import type { Result } from "./measure.ts";
import { measureSuites } from "./measure-suites.ts";
import { hashingMemory } from "./memory.ts";
import { SCRATCH } from "./real-tools.ts";
import { recordedCallCost } from "./recorded-call-cost.ts";
import { helpMemory } from "./startup.ts";
import { SUITES } from "./suites.ts";
import { table } from "./table.ts";

const MEMORY_BAR_MB = 12;
const HELP_BAR_MIB = 65;
const RECORDED_CALL_BAR_US = 30;

function misses({ ratio, bar }: Pick<Result, "ratio" | "bar">): boolean {
  return bar !== undefined && ratio < bar * tolerance;
}

/** Returns `+3.1 %` for a slowdown of 1.031. */
function percent(slowdown: number): string {
  return `${slowdown < 1 ? "" : "+"}${((slowdown - 1) * 100).toFixed(1)} %`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    gate: { type: "boolean", default: false },
    "every-row": { type: "boolean", default: false },
    json: { type: "string", default: "results/latest.json" },
  },
});

const scratch = mkdtempSync(join(tmpdir(), "agentprint-bench-"));
process.env[SCRATCH] = scratch;
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const digestGbS = digestSpeed();
const tolerance = toleranceAt(digestGbS);
console.log(`${MACHINE}; SHA-256 ${digestGbS.toFixed(2)} GB/s, so a gate is ${tolerance * 100} % of its bar.`);
console.log("Ratios are medians; higher is faster; ✗ stands for a wrong output or an error.");
console.log("± marks a ratio where the middle half of the rounds spreads over more than 10 %.\n");
const gate = values.gate ? openGate(ROOT, values["every-row"]) : undefined;
if (gate) console.log(`${gate.description}\n`);

const results: Result[] = [];
const missed: string[] = [];
const notes: string[] = [];
const every = Object.keys(SUITES);
const chosen = every.filter((suite) => positionals.length === 0 || positionals.some((name) => suite.includes(name)));
if (chosen.length === 0) throw new Error(`no suite matches; there are ${every.join(", ")}`);
for await (const { suite, title, rows } of measureSuites(chosen, gate, misses)) {
  const measured = rows.flatMap((row) => row.results);
  for (const { name, verdict } of rows) {
    if (verdict === undefined) continue;
    if ("missing" in verdict) {
      notes.push(`not compared: ${name}: ${verdict.missing}`);
      continue;
    }
    const { slowdown, processes, isSlower } = verdict;
    const figures = `${percent(slowdown.steady)}, by wall clock ${percent(slowdown.clock)}, in ${processes} processes`;
    notes.push(`compared with the build before: ${name}: ${figures}`);
    if (isSlower) missed.push(`${suite}, ${name}: slower than before: ${figures}`);
  }
  console.log(`${title}\n\n${table(measured)}\n`);
  if (notes.length > 0)
    console.log(
      `${notes
        .splice(0)
        .map((note) => `-- ${note}`)
        .join("\n")}\n`,
    );
  results.push(...measured);
  for (const { comparison, contender, ratio, correct, bar } of measured) {
    if (bar === undefined) continue;
    if (correct === false) missed.push(`${suite}, ${comparison}: ${contender} is wrong`);
    if (misses({ ratio, bar })) missed.push(`${suite}, ${comparison}: ${ratio.toFixed(2)}, bar ${bar}`);
  }
}

const memory = positionals.length === 0 ? hashingMemory() : undefined;
if (memory !== undefined) {
  console.log(`Extra peak memory of hashing 10 MB of records: ${memory} MB (bar ≤ ${MEMORY_BAR_MB} MB)\n`);
  if (memory > MEMORY_BAR_MB) missed.push(`hashing 10 MB takes ${memory} MB, bar ${MEMORY_BAR_MB} MB`);
}

const helpMib = chosen.includes("cli/startup") ? helpMemory() : undefined;
if (helpMib !== undefined) {
  console.log(`Resident memory of agentprint --help: ${helpMib} MiB (bar ≤ ${HELP_BAR_MIB} MiB)\n`);
  if (helpMib > HELP_BAR_MIB) missed.push(`--help takes ${helpMib} MiB, bar ${HELP_BAR_MIB} MiB`);
}

const recordedCallUs = chosen.includes("recorder/entry") ? recordedCallCost() : undefined;
if (recordedCallUs !== undefined) {
  const figure = recordedCallUs.toFixed(1);
  console.log(`Event-loop time of a recorded call: ${figure} µs (bar ≤ ${RECORDED_CALL_BAR_US} µs)\n`);
}

if (positionals.length === 0) {
  for (const row of gate?.unused() ?? []) missed.push(`allowances.json: no row is named ${row}`);
}

mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(
  values.json,
  `${JSON.stringify({ machine: MACHINE, digestGbS, memoryMb: memory, helpMib, recordedCallUs, results }, null, 2)}\n`,
);
for (const line of missed) console.log(`missed ${line}`);
if (values.gate && missed.length > 0) process.exitCode = 1;
