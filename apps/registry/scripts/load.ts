// Tests a registry under a mixed load, with clients that do not read and manifests of 100 KB: no synchronous span may
// take more than 50 ms of processor time, the process may take at most 512 MB, and every accepted change must be there
// exactly once. 50 addresses then send 1,000 requests each and read nothing: that may take at most 256 MB more, and
// /healthz must answer within a second. Usage: load.ts [--minutes <n>]. Exit code 1: a limit is exceeded.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { CapabilityManifest } from "@agentprint/manifest";
import { withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { startProcess } from "@agentprint/testing/registry-process";
import { costOfUnread } from "@agentprint/testing/unread-clients";
import { manifestOf, seed } from "../test/support/seed.ts";
import type { Spans } from "../test/support/spans.ts";
import { checkWhole } from "../test/support/storm.ts";

const MAX_SPAN_MS = 50;
const MAX_MB = 512;
const MAX_UNREAD_MB = 256;
const MAX_HEALTH_SECONDS = 1;
/** The heap that Node gives itself in a container of 512 MB. */
const HEAP = "--max-old-space-size=256";
const VERSIONS = 5000;
const STREAMS = 300;
const SILENT_STREAMS = 50;
const WARM_UP_MS = 10_000;
const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const SPANS = fileURLToPath(new URL("../test/support/spans.ts", import.meta.url));

const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" } } });
const folder = mkdtempSync(join(tmpdir(), "registry-load-"));
const database = `file:${join(folder, "registry.db")}`;
const spansFile = join(folder, "spans.json");
process.env["SPANS_FILE"] = spansFile;
const counts = new Map<string, number>();
const sockets: Socket[] = [];
let acknowledged = 0;
let maxMb = 0;
let isOver = false;

/** Two manifests of about 100 KB that differ in every tool, so that each change has the same size. */
const LARGE = [0, 1].map((kind): CapabilityManifest => {
  const properties = { [`p${kind}`]: { type: "string" } };
  return withScopes(Object.fromEntries(Array.from({ length: 380 }, (_, nth) => [`big:${nth}`, "low"])), properties);
});

try {
  const token = await seed(database, "demo", VERSIONS);
  const settings = { database, stream_limit: "2000", address_stream_limit: "2000", checkpoint_interval_seconds: "10" };
  const registry = await startProcess(settings, [HEAP, "--import", SPANS, MAIN]);
  const { url } = registry;
  await post(url, token, LARGE[0] as CapabilityManifest);
  for (let count = 0; count < STREAMS; count++) open(url, `agent=demo${count % 3 === 0 ? "&agent=large" : ""}`, true);
  for (let count = 0; count < SILENT_STREAMS; count++) open(url, "agent=large", false);
  const workers = Promise.all([
    ...Array.from({ length: 4 }, () => repeat((nth) => change(url, token, "demo", manifestOf(nth)))),
    repeat((nth) => change(url, token, "large", LARGE[nth % 2] as CapabilityManifest)),
    ...Array.from({ length: 4 }, () =>
      repeat((nth) => read(url, `agents/demo/consent?accepted=${1 + (nth % VERSIONS)}`)),
    ),
    ...Array.from({ length: 2 }, () => repeat((nth) => read(url, `agents/demo/versions?after=${nth % VERSIONS}`))),
    ...Array.from({ length: 2 }, () => repeat((nth) => read(url, `agents/demo/history?after=${nth % VERSIONS}`))),
    repeat((nth) => read(url, `agents/large/versions?after=${nth % 100}`)),
    repeat((nth) => read(url, `agents/large/diff?from=${1 + (nth % 2)}&to=${2 + (nth % 2)}`)),
    repeat(() => read(url, "agents/large/consent?accepted=1")),
    repeat(() => read(url, "pages/agents/large")),
    watchMemory(url),
  ]);
  await delay(WARM_UP_MS);
  registry.child.kill("SIGUSR2");
  await delay(Number(values.minutes) * 60_000);
  isOver = true;
  await workers;
  const service = { url, pid: Number(registry.child.pid) };
  const unread = await costOfUnread(service, () => "GET /agents/large/manifest HTTP/1.1\r\nHost: registry\r\n\r\n");
  await delay(2000);
  const { longest, count }: Spans = JSON.parse(readFileSync(spansFile, "utf8"));
  for (const socket of sockets) socket.destroy();
  const code = await registry.end();
  const versions = await checkWhole(database, []);
  const answers = [...counts].sort().map(([name, number]) => `${name}: ${number.toLocaleString("en")}`);
  const [worst] = longest;
  console.error(longest.map(({ ms, type, at }) => `${ms.toFixed(1)} ms ${type} ${at}`).join("\n"));
  console.log(
    `${values.minutes} minutes, ${STREAMS} streams and ${SILENT_STREAMS} unread ones; ${answers.join(", ")}. ` +
      `The longest of ${count.toLocaleString("en")} synchronous spans took ${worst?.ms.toFixed(1)} ms of processor time; the process took at most ${maxMb} MB. ` +
      `50,000 requests whose answers were not read took ${unread.mb.toFixed(0)} MB more, and /healthz ${unread.healthSeconds.toFixed(2)} s.`,
  );
  const isBounded = unread.mb <= MAX_UNREAD_MB && unread.healthSeconds <= MAX_HEALTH_SECONDS;
  const isWhole = versions === VERSIONS + acknowledged && code === 0;
  process.exitCode = isWhole && isBounded && (worst?.ms ?? 0) <= MAX_SPAN_MS && maxMb <= MAX_MB ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

async function repeat(work: (nth: number) => Promise<string>): Promise<void> {
  for (let nth = 0; !isOver; nth++) {
    const outcome = await work(nth);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (outcome === "503") await delay(1000);
  }
}

async function read(url: string, path: string): Promise<string> {
  const response = await fetch(`${url}/${path}`);
  await response.arrayBuffer();
  return String(response.status);
}

async function change(url: string, token: string, agent: string, manifest: CapabilityManifest): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${url}/agents/${agent}`, { method: "PATCH", headers, body: JSON.stringify(manifest) });
  await response.arrayBuffer();
  if (response.status === 200 && agent === "demo") acknowledged++;
  return String(response.status);
}

async function post(url: string, token: string, manifest: CapabilityManifest): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ agent_id: "large", manifest });
  const { status } = await fetch(`${url}/agents`, { method: "POST", headers, body });
  if (status !== 201) throw new Error(`expected 201, received ${status}`);
}

function open(url: string, query: string, isRead: boolean): void {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () =>
    socket.write(`GET /events?${query} HTTP/1.1\r\nhost: registry\r\n\r\n`),
  );
  socket.on("error", () => {});
  if (isRead) socket.resume();
  else socket.pause();
  sockets.push(socket);
}

async function watchMemory(url: string): Promise<void> {
  while (!isOver) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const mb = Math.round(Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / 2 ** 20);
    maxMb = Math.max(maxMb, mb);
    await delay(1000);
  }
}
