import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killServices, type ServiceProcess } from "@agentprint/testing/service-process";
import { costOfUnread } from "@agentprint/testing/unread-clients";
import { openTrailStore } from "@agentprint/trail-store";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectHttp, written, writtenCall } from "../support/http.ts";
import { startProcess } from "../support/processes.ts";
import { ERAS, INITIALIZE, type Json, messageOf } from "../support/server.ts";

const MAX_MB = 256;
const MAX_HEALTH_SECONDS = 1;
/** Records of 64 KiB each, which make a trail of almost 4 MiB, the longest resource. */
const THOUGHTS = 60;
const TASK = "long";
const URI = `trail://task/${TASK}`;

let folder = "";
let url = "";
let server: ServiceProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-server-unread-"));
  url = `file:${join(folder, "trail.db")}`;
  const store = await openTrailStore(url);
  for (let nth = 0; nth < THOUGHTS; nth++) {
    const content = `${nth} ${"A sentence. ".repeat(5400)}`;
    await store.append({ type: "plan", task_id: TASK, agent_id: "planner", content });
  }
  await store.close();
});
afterEach(killServices);
afterAll(() => rmSync(folder, { recursive: true }));

const CALLS = (
  [
    ["resources/read", { uri: URI }],
    ["resources/list", {}],
    ["tools/list", {}],
    ["prompts/get", { name: "decision_log", arguments: { task_id: TASK } }],
    ["tools/call", { name: "thought_list", arguments: { task_id: TASK, limit: 200 } }],
    ["tools/call", { name: "audit_verify_chain", arguments: { task_id: TASK } }],
    ["tools/call", { name: "code_hash_normalized", arguments: { content: "a".repeat(10_000) } }],
  ] as [string, Json][]
).map(([method, params]) => [`${method} ${JSON.stringify(params).slice(0, 60)}`, method, params] as const);

describe("1,000 requests that nobody reads from each of 50 addresses cost little", () => {
  const check = async (text: (address: number) => string): Promise<void> => {
    const service = { url: server.url, pid: Number(server.child.pid) };
    const { mb, healthSeconds } = await costOfUnread(service, text);
    expect(mb).toBeLessThanOrEqual(MAX_MB);
    expect(healthSeconds).toBeLessThanOrEqual(MAX_HEALTH_SECONDS);
  };

  test.each(CALLS)("%s without a handshake", async (_label, method, params) => {
    server = await startProcess(url);
    const text = writtenCall(method, params);
    await check(() => text);
  });

  test.each(CALLS)("%s in a session", async (_label, method, params) => {
    server = await startProcess(url);
    const texts = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { headers } = await connectHttp(server.url, ERAS[0]);
        const message = JSON.stringify(messageOf(ERAS[0], 1, method, params));
        return written({ ...headers, "mcp-protocol-version": ERAS[0] }, message);
      }),
    );
    await check((address) => texts[address] as string);
  });

  test.each([
    ["GET /healthz", "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"],
    ["GET /mcp", "GET /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n"],
    ["DELETE /mcp", "DELETE /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"],
    ["a foreign host", "POST /mcp HTTP/1.1\r\nhost: elsewhere\r\ncontent-length: 0\r\n\r\n"],
    ["nothing", "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"],
    ["a new session", written({}, JSON.stringify(INITIALIZE))],
    ["no JSON", written({}, "{")],
  ])("%s", async (_what, text) => {
    server = await startProcess(url);
    await check(() => text);
  });
});
