import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startProgram } from "@agentprint/testing/programs";
import { FROM_SOURCE } from "@agentprint/testing/service-process";
import { memoryOf } from "@agentprint/testing/unread-clients";
import { openTrailStore } from "@agentprint/trail-store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environmentOf, INITIALIZE, type Json, messageOf } from "../support/server.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const MAX_MB = 256;
const REQUESTS = 2000;
/** Records of 64 KiB each, which make a trail of almost 4 MiB, the longest resource. */
const THOUGHTS = 60;
const CALM_MS = 2000;
const MAX_MS = 60_000;
const LOOK_MS = 50;

let folder = "";
let url = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-server-stdio-"));
  url = `file:${join(folder, "trail.db")}`;
  const store = await openTrailStore(url);
  for (let nth = 0; nth < THOUGHTS; nth++) {
    const content = `${nth} ${"A sentence. ".repeat(5400)}`;
    await store.append({ type: "plan", task_id: "long", agent_id: "planner", content });
  }
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a server whose client writes requests and reads nothing. */
async function unread(method: string, params: Json) {
  const env = { ...process.env, ...environmentOf({ log_level: "silent" }), AGENTPRINT_TRAIL_URL: url };
  const child = await startProgram(process.execPath, [...FROM_SOURCE, MAIN], { env });
  const pid = Number(child.pid);
  child.stdin.on("error", () => undefined);
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  const [first] = await once(child.stdout, "data");
  child.stdout.pause();
  expect(JSON.parse(String(first)).id).toBe(0);
  const before = memoryOf(pid);
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  for (let id = 1; id <= REQUESTS; id++) {
    child.stdin.write(`${JSON.stringify(messageOf("2025-11-25", id, method, params))}\n`);
  }
  let most = before;
  const until = performance.now() + MAX_MS;
  for (let calmSince = performance.now(); performance.now() < Math.min(until, calmSince + CALM_MS); ) {
    const now = memoryOf(pid);
    if (now > most) [most, calmSince] = [now, performance.now()];
    await setTimeout(LOOK_MS);
  }
  return { child, mb: most - before };
}

test.each<[string, Json]>([
  ["resources/read", { uri: "trail://task/long" }],
  ["tools/list", {}],
  ["tools/call", { name: "thought_list", arguments: { task_id: "long", limit: 200 } }],
])("answers to %s %j that nobody reads over stdio cost little, and the process ends", async (method, params) => {
  const { child, mb } = await unread(method, params);
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(mb).toBeLessThanOrEqual(MAX_MB);
});

test("a client that reads late receives an answer to each request", async () => {
  const { child } = await unread("tools/list", {});
  const ids = new Set<number>();
  for await (const line of createInterface({ input: child.stdout })) {
    ids.add(JSON.parse(line).id);
    if (ids.size === REQUESTS) break;
  }
  const ended = once(child, "exit");
  child.stdout.resume();
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(Math.max(...ids)).toBe(REQUESTS);
});
