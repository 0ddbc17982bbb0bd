/**
 * Measures what a guard adds to the cost of a call, compared with a direct connection and processes that only pass
 * bytes on, and writes the table into the README of `@agentprint/guard`. Fails if the throughput of a guard that keeps
 * a record is below a minimum fraction of such a process's throughput.
 *
 * `--calls <n>` sets the calls per run (20,000), `--runs <n>` the runs (7); `--dry-run` writes nothing.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { MACHINE } from "../bench/machine.ts";
import { installMcpPin, MCP_PIN_VERSION } from "../corpus/src/install.ts";
import { type Contender, overHttp, overPipes } from "./contender.ts";
import { measureListings } from "./listings.ts";
import { agentprint, run } from "./programs.ts";
import { writeSection } from "./write-section.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
/** The microseconds per call above which fewer calls are made. */
const SLOW = 2_000;
const FEW = 1_000;
const AT_ONCE = 16;
const RECORDING = "agentprint guard --record";
/**
 * The minimum throughput of a guard that keeps a record, as a fraction of the throughput of a process that only passes
 * bytes or requests on.
 */
const BARS = { "byte pipe": 0.37, "reverse proxy": 0.55 } as const;

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "20000" },
    runs: { type: "string", default: "7" },
    "dry-run": { type: "boolean", default: false },
  },
});
const [calls, runs] = [Number(values.calls), Number(values.runs)];

/** The medians of a contender's runs. */
interface Row {
  readonly name: string;
  readonly calls: number;
  /** The microseconds per call when one call is made at a time. */
  readonly median: number;
  readonly p99: number;
  /** Calls per second when sixteen are made at the same time. */
  readonly throughput: number;
}

/** Runs the contenders in turn, so that the machine's load affects all of them alike. */
async function compare(contenders: readonly Contender[]): Promise<Row[]> {
  const taken = contenders.map(() => ({ medians: [] as number[], p99s: [] as number[], rates: [] as number[] }));
  const counts: number[] = [];
  for (const contender of contenders) {
    // The first calls include compilation.
    await contender.call(Math.min(2_000, calls), AT_ONCE);
    counts.push(quantile(await contender.call(200, 1), 0.5) > SLOW ? Math.min(FEW, calls) : calls);
  }
  for (let turn = 0; turn < runs; turn++) {
    for (const [index, contender] of contenders.entries()) {
      const count = counts[index] as number;
      const spent = await contender.call(count, 1);
      taken[index]?.medians.push(quantile(spent, 0.5));
      taken[index]?.p99s.push(quantile(spent, 0.99));
      const start = performance.now();
      await contender.call(count, AT_ONCE);
      taken[index]?.rates.push((count / (performance.now() - start)) * 1000);
      console.log(`run ${turn + 1} of ${runs}: ${contender.name}`);
    }
  }
  return contenders.map(({ name }, index) => {
    const { medians = [], p99s = [], rates = [] } = taken[index] ?? {};
    const [median, p99, throughput] = [medians, p99s, rates].map((all) => quantile(all, 0.5)) as [
      number,
      number,
      number,
    ];
    return { name, calls: counts[index] as number, median, p99, throughput };
  });
}

/**
 * Compares the contenders that `start` uses, and then ends them, so that nothing from one table runs during the next.
 */
async function startAndCompare(start: (use: <T extends Contender>(one: T) => T) => Promise<void>): Promise<Row[]> {
  const contenders: Contender[] = [];
  const use = <T extends Contender>(one: T): T => {
    contenders.push(one);
    return one;
  };
  try {
    await start(use);
    return await compare(contenders);
  } finally {
    await Promise.all(contenders.map((one) => one[Symbol.asyncDispose]()));
  }
}

function quantile(numbers: Iterable<number>, part: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function tableOf(title: string, rows: readonly Row[], reference: string): string {
  const base = rows.find(({ name }) => name === reference) as Row;
  const lines = rows.map(({ name, calls: count, median, p99, throughput }) => {
    const ratio = (value: number, of: number): string => `${(value / of).toFixed(2)}`;
    const cells = [
      name,
      `${median.toFixed(0)} µs`,
      ratio(median, base.median),
      `${p99.toFixed(0)} µs`,
      ratio(p99, base.p99),
      `${throughput.toFixed(0)}/s`,
      ratio(throughput, base.throughput),
      count.toLocaleString("en"),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    `| ${title} | median | ÷ ${reference} | 99th percentile | ÷ ${reference} | ${AT_ONCE} at once | ÷ ${reference} | calls a run |`,
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

/** Returns whether the guard with a record reaches its bar; prints a message if it does not. */
function reachesBar(rows: readonly Row[], reference: keyof typeof BARS): boolean {
  const throughputOf = (name: string): number => rows.find((row) => row.name === name)?.throughput ?? Number.NaN;
  const part = throughputOf(RECORDING) / throughputOf(reference);
  const isReached = part >= BARS[reference];
  if (!isReached) console.error(`${RECORDING} ÷ ${reference}: ${part.toFixed(2)}; the bar is ${BARS[reference]}`);
  return isReached;
}

const folder = mkdtempSync(join(tmpdir(), "agentprint-cost-"));
process.env["XDG_STATE_HOME"] = join(folder, "state");
const server = [process.execPath, join(HERE, "stdio-server.mjs")];
try {
  const mcpPin = join(dirname(await installMcpPin()), "mcp-pin");
  const entry = { command: server[0], args: server.slice(1) };
  writeFileSync(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: { echo: entry } }));
  run(folder, agentprint("pin", "--name", "echo", "--", ...server));
  run(folder, [
    mcpPin,
    "approve",
    "--no-user-configs",
    "--no-skills",
    "--no-source",
    "--probe",
    "--probe-gate",
    "off",
    "--yes",
    ".mcp.json",
  ]);
  const record = ["--record", "trail", "--record-key", "recorder.key"];
  const quiet = ["--no-user-configs", "--lock", ".mcp-pin.lock", "--quiet"];
  const wrap = [mcpPin, "wrap", "--lock", ".mcp-pin.lock", "--name", "echo", "--quiet"];
  const stdio = await startAndCompare(async (use) => {
    const pipes = async (name: string, command: readonly string[], tool?: string) =>
      use(await overPipes(name, folder, command, tool));
    await pipes("direct", server);
    await pipes("byte pipe", [process.execPath, join(HERE, "byte-pipe.mjs"), ...server]);
    await pipes("agentprint guard", agentprint("guard", "echo"));
    await pipes(RECORDING, agentprint("guard", "echo", ...record));
    await pipes("mcp-pin wrap", [...wrap, "--", ...server]);
    await pipes("mcp-pin wrap --log", [...wrap, "--log", "audit.log", "--", ...server]);
    await pipes("mcp-pin gateway", [mcpPin, "gateway", ...quiet, "."], "echo__echo");
  });
  const overNetwork = await startAndCompare(async (use) => {
    const http = async (name: string, command: readonly string[]) => use(await overHttp(name, folder, command));
    const direct = await http("direct", [process.execPath, join(HERE, "http-server.mjs")]);
    run(folder, agentprint("pin", "--name", "remote", "--url", direct.url));
    await http("reverse proxy", [process.execPath, join(HERE, "reverse-proxy.mjs"), direct.url]);
    await http("agentprint guard", agentprint("guard", "--http", "127.0.0.1:0", "remote"));
    await http(RECORDING, agentprint("guard", "--http", "127.0.0.1:0", "remote", ...record));
  });

  const listings = measureListings();
  const text = [
    `Medians of ${runs} interleaved runs of calls with 1 KB each way, one at a time and ${AT_ONCE} at once; mcp-pin ${MCP_PIN_VERSION}; ${MACHINE}.`,
    tableOf("stdio to stdio", stdio, "byte pipe"),
    tableOf("HTTP to HTTP", overNetwork, "reverse proxy"),
    `A listing of 1,000 tools of 2 KB takes ${listings.first.toFixed(2)} × \`JSON.parse\` the first time, and ${listings.again.toFixed(2)} × when the server repeats the same list.`,
  ].join("\n\n");
  console.log(text);
  if (!values["dry-run"]) {
    writeSection("cost", text);
  }
  const reached = [reachesBar(stdio, "byte pipe"), reachesBar(overNetwork, "reverse proxy")];
  if (reached.includes(false)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
