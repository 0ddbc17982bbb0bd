// Measures alternately how much longer requests take for an agent with 100,000 versions than for one with 10, and PATCH
// also while 1,000 streams receive its event. Usage: history-bench.ts [--versions <n>] [--streams <n>] [--requests <n>]
// [--write]: --write puts the table into README.md. Exit code 1: a request takes more than twice as long.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { withPart } from "@agentprint/testing/markdown/markdown-part";
import { markdownTable } from "@agentprint/testing/markdown/markdown-table";
import { startProcess } from "@agentprint/testing/registry-process";
import type { ServiceProcess } from "@agentprint/testing/service-process";
import { manifestOf, seed } from "../test/support/seed.ts";

const MAX_RATIO = 2;
const ROUNDS = 5;
const FEW = 10;
const README = fileURLToPath(new URL("../README.md", import.meta.url));

const { values } = parseArgs({
  options: {
    versions: { type: "string", default: "100000" },
    streams: { type: "string", default: "1000" },
    requests: { type: "string", default: "100" },
    write: { type: "boolean", default: false },
  },
});

interface Side {
  readonly registry: ServiceProcess;
  readonly token: string;
  readonly versions: number;
}

const folder = mkdtempSync(join(tmpdir(), "registry-history-"));
try {
  const sides: [Side, Side] = [await startSide(FEW), await startSide(Number(values.versions))];
  const rows: string[][] = [];
  let isMissed = false;
  const compare = async (name: string, ask: (side: Side, nth: number) => Promise<void>): Promise<void> => {
    const ratios: number[] = [];
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const [few, many] = [await medianMs(sides[0], ask), await medianMs(sides[1], ask)];
      times[0].push(few);
      times[1].push(many);
      ratios.push(many / few);
    }
    const ratio = median(ratios);
    isMissed ||= ratio > MAX_RATIO;
    rows.push([name, ...times.map((all) => `${median(all).toFixed(2)} ms`), ratio.toFixed(2), String(MAX_RATIO)]);
    console.error(rows.at(-1)?.join("  "));
  };
  await compare("`GET /consent?accepted=1`", (side) => read(side, "consent?accepted=1"));
  await compare("`GET /versions?limit=10`", (side) => read(side, "versions?limit=10"));
  await compare("`GET /versions`, the last 10", ({ versions, ...side }) =>
    read({ ...side, versions }, `versions?after=${Math.max(0, versions - FEW)}`),
  );
  await compare("`PATCH`", patch);
  const ends = await Promise.all(sides.map((side) => openStreams(side, Number(values.streams))));
  await compare(`\`PATCH\` while ${Number(values.streams).toLocaleString("en")} streams receive the event`, patch);
  for (const end of ends) end();
  for (const { registry } of sides) await registry.end();
  const few = `${FEW} versions`;
  const many = `${Number(values.versions).toLocaleString("en")} versions`;
  const table = markdownTable(["request", few, many, "ratio", "at most"], rows);
  console.log(table);
  if (values.write) writeFileSync(README, withPart(readFileSync(README, "utf8"), "history-bench", table));
  process.exitCode = isMissed ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}

async function startSide(versions: number): Promise<Side> {
  const database = `file:${join(folder, `${versions}.db`)}`;
  const token = await seed(database, "demo", versions);
  const registry = await startProcess({ database, address_stream_limit: "100000", stream_limit: "100000" });
  return { registry, token, versions };
}

async function read({ registry }: Side, path: string): Promise<void> {
  const response = await fetch(`${registry.url}/agents/demo/${path}`);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
}

async function patch({ registry, token }: Side, nth: number): Promise<void> {
  const response = await fetch(`${registry.url}/agents/demo`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(manifestOf(nth)),
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`PATCH: ${response.status}`);
}

async function medianMs(side: Side, ask: (side: Side, nth: number) => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < Number(values.requests); nth++) {
    const started = performance.now();
    await ask(side, nth);
    times.push(performance.now() - started);
  }
  return median(times);
}

/** Opens streams whose events are read and dropped; returns the function that ends them. */
async function openStreams({ registry }: Side, count: number): Promise<() => void> {
  const open = (): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const request = get(`${registry.url}/events?agent=demo`, { agent: false }, (response) => {
        response.resume();
        response.on("error", () => {});
        resolve(() => request.destroy());
      });
      request.on("error", reject);
    });
  const ends: (() => void)[] = [];
  for (let done = 0; done < count; done++) ends.push(await open());
  return () => {
    for (const end of ends) end();
  };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
