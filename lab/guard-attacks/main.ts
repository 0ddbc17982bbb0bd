/**
 * Attacks guards, and writes the results into the README of `@agentprint/guard`. Fails if a guard hangs, lets an attack
 * pass, or uses more memory than allowed.
 *
 * `--only <text>` runs only the attacks whose names contain the text, `--dry-run` writes nothing.
 */
import { parseArgs } from "node:util";
import { markdownTable } from "@agentprint/testing/markdown/markdown-table";
import { MACHINE } from "../bench/machine.ts";
import { writeSection } from "../guard-cost/write-section.ts";
import type { Attack } from "./attack.ts";
import { BODIES } from "./bodies.ts";
import { CLIENTS } from "./clients.ts";
import { FILES } from "./files.ts";
import { STREAMS } from "./streams.ts";
import { until, World } from "./world.ts";

/**
 * The memory that a guard may use, in MiB. A message may have at most 16 MiB, and up to 64 MiB of a body are read
 * before the guard refuses it.
 */
const MAX_MEMORY = 768;
/** How long an attack may take, in seconds. */
const MAX_SECONDS = 300;

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, "dry-run": { type: "boolean", default: false } },
});

/** Runs an attack; returns its row in the table, and the faults found. */
async function row(attack: Attack): Promise<{ readonly cells: string[]; readonly faults: string[] }> {
  await using world = await World.open();
  const guard = await world.guard();
  await guard.call("honest", "read");
  const begun = performance.now();
  const faults: string[] = [];
  let [ended, passed] = ["", 0];
  try {
    const late = AbortSignal.timeout(MAX_SECONDS * 1000);
    const isLate = new Promise<never>((_, reject) =>
      late.addEventListener("abort", () => reject(new Error("it hangs"))),
    );
    ({ ended, passed } = await Promise.race([attack.run({ world, guard }), isLate]));
  } catch (error) {
    ended = error instanceof Error ? error.message : "failed";
    faults.push(ended);
  }
  const seconds = (performance.now() - begun) / 1000;
  const isRunning = guard.child.exitCode === null && guard.child.signalCode === null;
  if (isRunning) {
    await until(async () => /called read/.test(await guard.call("honest", "read")), "another server is served").catch(
      (error: Error) => faults.push(error.message),
    );
  } else faults.push("the guard ended");
  const memory = isRunning ? guard.peak : Number.NaN;
  if (passed + world.remote.wiped > 0) faults.push(`${passed + world.remote.wiped} got past`);
  if (!(memory <= MAX_MEMORY)) faults.push(`${memory.toFixed(0)} MiB`);
  const numbers = [seconds.toFixed(1), memory.toFixed(0), String(passed + world.remote.wiped)];
  return { cells: [attack.name, attack.amount, ended, ...numbers], faults };
}

const rows: string[][] = [];
let isFine = true;
for (const attack of [...BODIES, ...STREAMS, ...CLIENTS, ...FILES].filter(({ name }) => name.includes(values.only))) {
  const { cells, faults } = await row(attack);
  rows.push(cells);
  isFine &&= faults.length === 0;
  console.log(`${cells.join(" | ")}${faults.length > 0 ? ` FAULT: ${faults.join("; ")}` : ""}`);
}
if (rows.length === 0) throw new Error("no attack has this text in its name");
const header = ["attack", "amount", "outcome", "seconds", "peak memory, MiB", "got past"];
const limit = `A guard may use ${MAX_MEMORY} MiB; after each attack, a call through another server was answered.`;
if (isFine && !values["dry-run"] && values.only === "") {
  writeSection("attacks", `${markdownTable(header, rows)}\n\n${limit} ${MACHINE}.`);
}
process.exit(isFine ? 0 : 1);
