// Measures how much longer one agent's requests, events and messages take while another agent, webhook, stream or key
// has a fault: compares the 99th percentile with an equally busy registry without faults, with alternating requests.
// Usage: fault-bench.ts [--requests <n>] [--write]: --write puts the table into README.md. Exit code 1: a value is more
// than twice as long in two measurements.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { withPart } from "@agentprint/testing/markdown/markdown-part";
import { markdownTable } from "@agentprint/testing/markdown/markdown-table";
import { killServices } from "@agentprint/testing/service-process";
import { change, type Fault, type Neighbours, startNeighbours } from "../test/support/neighbours.ts";

const MAX_RATIO = 2;
/** Milliseconds between two changes to the other agent. */
const PAUSE_MS = 100;
const SETTLE_MS = 60_000;
const README = fileURLToPath(new URL("../README.md", import.meta.url));
const FAULTS: readonly [fault: Fault, about: string][] = [
  ["agent", "two agents whose chains are damaged"],
  ["webhook", "a webhook that does not answer"],
  ["stream", "50 unread streams"],
  ["key", "20 changes with one key that never arrive completely"],
];

const { values } = parseArgs({
  options: { requests: { type: "string", default: "1000" }, write: { type: "boolean", default: false } },
});
const count = Number(values.requests);

const KINDS = ["PATCH", "GET", "event", "webhook"] as const;

/** Waiting times in milliseconds, by kind. */
type Times = Record<(typeof KINDS)[number], number[]>;

interface Compared {
  readonly kind: keyof Times;
  readonly calm: number;
  readonly faulty: number;
  readonly ratio: number;
}

const folder = mkdtempSync(join(tmpdir(), "registry-faults-"));
try {
  const rows: string[][] = [];
  let isMissed = false;
  for (const [fault, about] of FAULTS) {
    const first = await compare(fault, "first");
    const second = first.some(({ ratio }) => !(ratio <= MAX_RATIO)) ? await compare(fault, "second") : first;
    first.forEach((one, index) => {
      const again = second[index] ?? one;
      const { kind, calm, faulty, ratio } = again.ratio < one.ratio ? again : one;
      isMissed ||= !(ratio <= MAX_RATIO);
      rows.push([about, kind, `${calm.toFixed(1)} ms`, `${faulty.toFixed(1)} ms`, ratio.toFixed(2), String(MAX_RATIO)]);
      console.error(rows.at(-1)?.join("  "));
    });
  }
  const table = markdownTable(["fault", "waited for", "without it", "with it", "ratio", "at most"], rows);
  console.log(table);
  if (values.write) writeFileSync(README, withPart(readFileSync(README, "utf8"), "fault-bench", table));
  process.exitCode = isMissed ? 1 : 0;
} finally {
  killServices();
  rmSync(folder, { recursive: true });
}

/** The 99th percentiles of a registry with a fault and of one without it. */
async function compare(fault: Fault, name: string): Promise<Compared[]> {
  const sides = [
    await startNeighbours(join(folder, `${fault}-${name}-calm.db`), undefined),
    await startNeighbours(join(folder, `${fault}-${name}.db`), fault),
  ];
  const times = await measure(sides);
  for (const side of sides) await side.close();
  return KINDS.map((kind) => {
    const [calm = Number.NaN, faulty = Number.NaN] = times.map((all) => percentile99(all[kind], leastOf(kind)));
    return { kind, calm, faulty, ratio: faulty / calm };
  });
}

async function measure(sides: readonly Neighbours[]): Promise<Times[]> {
  const times = sides.map((): Times => ({ PATCH: [], GET: [], event: [], webhook: [] }));
  const sent = sides.map(() => new Map<number, number>());
  sides.forEach((side, index) => {
    const since = (kind: "event" | "webhook") => (version: number) => {
      const at = sent[index]?.get(version);
      if (at !== undefined) times[index]?.[kind].push(performance.now() - at);
    };
    side.onEvent(since("event"));
    side.onWebhook(since("webhook"));
  });
  let isOver = false;
  const beside = sides.map(async (side) => {
    for (let nth = 0; !isOver; nth++) {
      await side.changeBeside(nth);
      await delay(PAUSE_MS);
    }
  });
  for (let nth = 0; nth < count; nth++) {
    const order = Math.random() < 0.5 ? [0, 1] : [1, 0];
    for (const index of order) {
      const [side, of] = [sides[index], times[index]];
      if (!side || !of) continue;
      const started = performance.now();
      // The first version was created with the agent.
      sent[index]?.set(nth + 2, started);
      if ((await change(side.url, side.token, "measured", nth)) !== 200) throw new Error("a change was refused");
      of.PATCH.push(performance.now() - started);
      const read = performance.now();
      const response = await fetch(`${side.url}/agents/measured`);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`GET: ${response.status}`);
      of.GET.push(performance.now() - read);
    }
  }
  const until = performance.now() + SETTLE_MS;
  const isComplete = (): boolean =>
    times.every(({ event, webhook }) => event.length >= count && webhook.length >= leastOf("webhook"));
  while (!isComplete() && performance.now() < until) await delay(PAUSE_MS);
  isOver = true;
  await Promise.all(beside);
  return times;
}

/** How many waiting times of a kind there must be: webhooks receive every second change. */
function leastOf(kind: keyof Times): number {
  return kind === "webhook" ? Math.floor(count / 2) : count;
}

/** @throws when there are fewer than `least`, because a missing answer counts as infinitely long. */
function percentile99(all: readonly number[], least: number): number {
  if (all.length < least) throw new Error(`expected ${least}, received ${all.length}`);
  return all.toSorted((a, b) => a - b)[Math.ceil(all.length * 0.99) - 1] ?? Number.NaN;
}
