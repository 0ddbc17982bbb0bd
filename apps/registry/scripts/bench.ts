// Compares the requests per second with those of bare Hono routes, each in its own process, alternately, and measures
// the memory over 100,000 requests. Usage: bench.ts [--seconds <n>] [--requests <n>] [--write]: --write puts the table
// into README.md. Exit code 1: a limit is exceeded.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { startProcess } from "@agentprint/testing/registry-process";
import type { ServiceProcess } from "@agentprint/testing/service-process";
import autocannon from "autocannon";
import { prepare } from "../test/support/storm.ts";

const CONNECTIONS = 50;
const ROUNDS = 3;
const BARS = { PATCH: 0.5, GET: 0.8 } as const;
/** How much more memory the second half of the requests may take than the first. */
const MAX_GROWTH = 1.15;
const README = fileURLToPath(new URL("../README.md", import.meta.url));
const BARE = fileURLToPath(new URL("../test/support/bare.ts", import.meta.url));

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "8" },
    requests: { type: "string", default: "100000" },
    write: { type: "boolean", default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), "registry-bench-"));
const settings = { database: `file:${join(folder, "registry.db")}` };
const body = JSON.stringify({
  ...EMPTY,
  tools: Array.from({ length: 10 }, (_, index) => ({
    name: `tool_${index}`,
    description_i18n_key: `tools.${index}`,
    input_schema: {
      type: "object",
      properties: { path: { type: "string" }, limit: { type: "integer", maximum: 100 } },
      additionalProperties: false,
    },
    permission_scope: "filesystem:read",
  })),
  permission_scopes: [{ id: "filesystem:read", label_i18n_key: "scopes.read", sensitivity: "medium" }],
});

interface Measured {
  readonly perSecond: number;
  readonly p99: number;
}

try {
  const token = await prepare(settings);
  const [registry, bare] = [await startProcess(settings), await startProcess({}, [BARE, join(folder, "bare.db")])];
  const lines = [];
  let isMissed = false;
  for (const method of ["PATCH", "GET"] as const) {
    const [ours, theirs]: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await measure(registry, method, token));
      theirs.push(await measure(bare, method, token));
    }
    const ratio = median(ours.map(({ perSecond }, round) => perSecond / (theirs[round]?.perSecond ?? 0)));
    isMissed ||= ratio < BARS[method];
    const [our, their] = [middle(ours), middle(theirs)];
    const what = method === "GET" ? "GET with `If-None-Match`" : "PATCH";
    lines.push([what, figure(our), figure(their), ratio.toFixed(2), String(BARS[method])]);
  }
  const memory = await memoryOver(registry, Number(values.requests), token);
  isMissed ||= memory.growth > MAX_GROWTH;
  const table = tableOf([["request", "registry: a second (p99)", "bare: a second (p99)", "ratio", "bar"], ...lines]);
  const said = `${CONNECTIONS} connections. After ${values.requests} more requests, one in ten of them a PATCH, the registry takes ${memory.after} MB; after half of them, it took ${memory.before} MB.`;
  console.log(`${table}\n\n${said}`);
  if (values.write) writeReadme(`${table}\n\n${said}`);
  await registry.end();
  await bare.end();
  process.exitCode = isMissed ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}

/** Sends requests for some seconds, after one second of warm-up that is not measured. */
async function measure({ url }: ServiceProcess, method: "PATCH" | "GET", token: string): Promise<Measured> {
  const etag = (await fetch(`${url}/agents/demo`)).headers.get("etag") ?? "";
  const asked = {
    url: `${url}/agents/demo`,
    method,
    connections: CONNECTIONS,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "if-none-match": etag },
    ...(method === "PATCH" && { body }),
  };
  await autocannon({ ...asked, duration: 1 });
  const {
    requests,
    latency,
    errors,
    statusCodeStats = {},
  } = await autocannon({
    ...asked,
    duration: Number(values.seconds),
  });
  const expected = method === "GET" ? "304" : "200";
  if (errors > 0 || Object.keys(statusCodeStats).join() !== expected) {
    throw new Error(`expected ${expected} only: ${errors} errors, ${JSON.stringify(statusCodeStats)}`);
  }
  return { perSecond: requests.average, p99: latency.p99 };
}

/** The process's memory in MB, after half of the requests and after all of them. */
async function memoryOver(registry: ServiceProcess, count: number, token: string) {
  const ask = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    await autocannon({
      url: `${registry.url}/agents/demo`,
      connections: CONNECTIONS,
      amount: count / 2,
      requests: Array.from({ length: 10 }, (_, index) =>
        index === 0 ? { method: "PATCH" as const, headers, body } : { method: "GET" as const },
      ),
    });
    const metrics = await (await fetch(`${registry.url}/metrics`)).text();
    return Math.round(Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / 2 ** 20);
  };
  const before = await ask();
  const after = await ask();
  return { before, after, growth: after / before };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function middle(all: readonly Measured[]): Measured {
  return { perSecond: median(all.map(({ perSecond }) => perSecond)), p99: median(all.map(({ p99 }) => p99)) };
}

function figure({ perSecond, p99 }: Measured): string {
  return `${Math.round(perSecond).toLocaleString("en")} (${p99} ms)`;
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(" | ")} |`;
  const [head = [], ...others] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...others.map(line)].join("\n");
}

function writeReadme(text: string): void {
  const readme = readFileSync(README, "utf8");
  writeFileSync(
    README,
    readme.replace(/(<!-- bench -->\n).*?(\n<!-- \/bench -->)/s, (_all, start, end) => `${start}\n${text}\n${end}`),
  );
}
