import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createGuard, parseGuardPolicy } from "@agentprint/guard";
import { createLock, type LockedServer } from "@agentprint/mcp-lock";
import { type RunningServer, type StdioTarget, startServer } from "@agentprint/mcp-visit";
import { answersOf } from "@agentprint/testing/lock/offer";
import { expect, test } from "vitest";
import { Gateway, type Route, StdioEndpoint } from "../../src/http/index.ts";
import type { PinnedServer } from "../../src/pinned-server.ts";

const SERVER = fileURLToPath(new URL("../support/small-server.mjs", import.meta.url));
const NAMES = Array.from({ length: 10 }, (_, nth) => `server-${nth}`);
/** A silent process is considered starting for this time, in milliseconds. */
const SILENT_MS = 1000;

const COMMAND = { command: process.execPath, args: [SERVER] };
const TARGET: StdioTarget = { type: "stdio", ...COMMAND, env: {}, launch: { type: "stdio", ...COMMAND, env: [] } };

/** The answers of each server to a visit. */
const ANSWERS = answersOf([{ name: "who", inputSchema: { type: "object" } }], {
  launch: TARGET.launch,
  protocolVersion: "2025-11-25",
  serverInfo: { name: "small", version: "1.0.0" },
});

/** Starts servers, and counts those that are starting. */
class Started {
  readonly servers: RunningServer[] = [];
  most = 0;
  #starting = 0;

  async start(): Promise<PinnedServer> {
    this.most = Math.max(this.most, ++this.#starting);
    const server = await startServer(TARGET);
    this.servers.push(server);
    const outputChecked = once(server.stdout, "readable").then(() => true);
    const hasStarted = Promise.race([outputChecked, setTimeout(SILENT_MS, undefined, { ref: false })]);
    void hasStarted.then(() => this.#starting--);
    return { ...server, outputChecked, errorsChecked: Promise.resolve(true) };
  }
}

/** Sends a client's message; returns the answer and its session. */
async function post(url: string, message: object, session?: string) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session !== undefined && { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
  const text = await response.text();
  const [, line = text] = /^data: (.*)$/m.exec(text) ?? [];
  return { status: response.status, text: line, session: response.headers.get("mcp-session-id") ?? undefined };
}

/** Opens a session, and returns the process that answers a call in it. */
async function callIn(url: string): Promise<number> {
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const opened = await post(url, { id: 0, method: "initialize", params });
  expect(opened).toMatchObject({ status: 200, text: expect.stringContaining('"small"') });
  await post(url, { method: "notifications/initialized" }, opened.session);
  const called = await post(url, { id: 1, method: "tools/call", params: { name: "who" } }, opened.session);
  return Number(JSON.parse(called.text).result.content[0].text);
}

test("one guard starts ten servers four at a time, each answers its client, and none is left", async () => {
  const lock = createLock(Object.fromEntries(NAMES.map((name) => [name, ANSWERS])));
  const started = new Started();
  const failures: unknown[] = [];
  const output = {
    stderr: new PassThrough().resume(),
    notice: () => undefined,
    fail: (error: unknown) => void failures.push(error),
  };
  const recording = { onEvent: () => undefined, takeWait: () => undefined, close: async () => undefined };
  const routes = NAMES.map((name): [string, Route] => {
    const guard = createGuard({ lock, server: name, policy: parseGuardPolicy({}) });
    const endpoint = new StdioEndpoint(output, () => started.start(), guard, recording);
    const entry = lock.servers.find((each) => each.name === name) as LockedServer;
    return [name, { endpoint, entry, look: async () => undefined }];
  });
  const gateway = new Gateway(new Map(routes), { host: "127.0.0.1", port: 0, maxBody: 1_000_000 });
  const port = await gateway.listen();
  let pids: number[];
  try {
    pids = await Promise.all(NAMES.map((name) => callIn(`http://127.0.0.1:${port}/${name}`)));
  } finally {
    await gateway.close();
  }
  expect(failures).toEqual([]);
  expect(new Set(pids).size).toBe(NAMES.length);
  expect(started.servers).toHaveLength(NAMES.length);
  expect(started.most).toBeGreaterThan(1);
  expect(started.most).toBeLessThanOrEqual(4);
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  await Promise.all(started.servers.map(({ ended }) => ended));
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});
