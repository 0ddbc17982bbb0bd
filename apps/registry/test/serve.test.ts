import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfig } from "../src/config/config.ts";
import { EVERY_AGENT, issueKey } from "../src/keys/keys.ts";
import { type RunningRegistry, startRegistry } from "../src/serve.ts";
import { openStore } from "../src/store/open-store.ts";
import { readEvents, take } from "./support/read-events.ts";

let folder = "";
let registry: RunningRegistry;
let token = "";
const settings = () => ({
  AGENTPRINT_REGISTRY_DATABASE: `file:${join(folder, "registry.db")}`,
  AGENTPRINT_REGISTRY_PORT: "0",
  AGENTPRINT_REGISTRY_CHECKPOINT_INTERVAL_SECONDS: "1",
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "registry-serve-"));
  registry = await startRegistry(loadConfig(settings()), pino({ level: "silent" }));
  const store = await openStore(settings().AGENTPRINT_REGISTRY_DATABASE);
  token = (await issueKey(store, EVERY_AGENT, new Date())).token;
  await store.close();
});
afterEach(async () => {
  await registry.close();
  rmSync(folder, { recursive: true });
});

const headers = () => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });
const create = (body: string): Promise<Response> =>
  fetch(`${registry.url}/agents`, { method: "POST", headers: headers(), body });
const newAgent = JSON.stringify({ agent_id: "demo", manifest: EMPTY });

/** Returns the bytes that the registry writes to a socket that sends only `text`. */
function answerTo(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(registry.url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding("utf8").on("error", reject);
    let answer = "";
    socket.on("data", (more) => {
      answer += more;
      if (/\r\n\r\n/.test(answer)) socket.destroy();
    });
    socket.on("close", () => resolve(answer));
  });
}

test("metrics have one path, so that a proxy which blocks it blocks them", async () => {
  const statusOf = async (path: string): Promise<string | undefined> =>
    (await answerTo(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)).split(" ")[1];
  expect(await statusOf("/metrics")).toBe("200");
  for (const path of ["/%6detrics", "/agents/../metrics", "/agents/%2e%2e/metrics", "/./metrics", "http://x/metrics"]) {
    expect([path, await statusOf(path)]).toEqual([path, "404"]);
  }
});

test("a body declared as too large is refused before it arrives, and one that grows too large while it arrives", async () => {
  const start = `POST /agents HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`;
  expect(await answerTo(`${start}content-length: 524289\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 413 /);
  const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
  expect(await answerTo(`${start}transfer-encoding: chunked\r\n\r\n${chunk.repeat(9)}`)).toMatch(/^HTTP\/1\.1 413 /);
  expect((await create(newAgent)).status).toBe(201);
});

test("a body that ends early is an error of the client", async () => {
  const { hostname, port } = new URL(registry.url);
  const head = `POST /agents HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`;
  const socket = connect(Number(port), hostname, () => socket.end(`${head}content-length: 100\r\n\r\n{`));
  const counted = 'agentprint_registry_request_seconds_count{method="POST",route="/agents",status="400"} 1';
  await expect.poll(async () => (await fetch(`${registry.url}/metrics`)).text()).toContain(counted);
});

test.each([
  ["two lengths", "POST /agents HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n"],
  ["a line break in a header", "GET /agents HTTP/1.1\r\nhost: x\r\nif-match: a\nb\0\r\n\r\n"],
  ["headers without end", `GET /agents HTTP/1.1\r\nhost: x\r\nx: ${"x".repeat(100_000)}`],
  ["no HTTP", "\u0016\u0003\u0001\u0002"],
])("a request with %s is refused, and the next one answered", async (_name, text) => {
  expect(await answerTo(text)).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect((await fetch(`${registry.url}/healthz`)).status).toBe(200);
});

test("closing ends streams, signs the unsigned versions, and leaves nothing hanging", async () => {
  expect((await create(newAgent)).status).toBe(201);
  // The signing thread has started.
  const signed = async (): Promise<string> => (await fetch(`${registry.url}/agents/demo/checkpoint`)).text();
  await expect.poll(signed, { timeout: 60_000 }).toMatch(/^localhost\/agentprint-registry\/agents\/demo\n1\n/);
  const events = readEvents(await fetch(`${registry.url}/events?agent=demo`));
  const ended = expect(take(events, 2)).rejects.toThrow(/ended after [01] of 2/);
  const change = { method: "PATCH", headers: headers(), body: JSON.stringify(EMPTY) };
  expect((await fetch(`${registry.url}/agents/demo`, change)).status).toBe(200);
  await registry.close();
  await ended;
  const store = await openStore(settings().AGENTPRINT_REGISTRY_DATABASE);
  const rows = await store.db
    .selectFrom("checkpoints")
    .select("size")
    .where("task_id", "like", "%demo")
    .orderBy("size")
    .execute();
  expect(rows).toEqual([{ size: 1 }, { size: 2 }]);
  await store.close();
  registry = await startRegistry(loadConfig(settings()), pino({ level: "silent" }));
});

test("a port that is taken is an error of the configuration", async () => {
  const taken = { ...settings(), AGENTPRINT_REGISTRY_PORT: new URL(registry.url).port };
  await expect(startRegistry(loadConfig(taken), pino({ level: "silent" }))).rejects.toMatchObject({
    code: "INVALID_CONFIGURATION",
    message: expect.stringContaining("EADDRINUSE"),
  });
});
