import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { type PostgresServer, startPostgres } from "@agentprint/testing/postgres-server";
import { startProcess } from "@agentprint/testing/registry-process";
import { killServices, type ServiceProcess } from "@agentprint/testing/service-process";
import { makeSignerKey } from "@agentprint/trail-store";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { checkWhole, prepare } from "../support/storm.ts";
import { startProxy, type TcpProxy } from "../support/tcp-proxy.ts";

/** The registry promises five seconds; the rest allows for a busy machine. */
const ANSWERED_WITHIN_MS = 8000;
const POLL = { timeout: 60_000, interval: 200 };

let folder = "";
let server: PostgresServer;
let proxy: TcpProxy;
let registry: ServiceProcess;
let token = "";
let database = "";
let count = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "registry-hang-"));
  server = await startPostgres({ durable: false });
});
beforeEach(async () => {
  const name = `hang_${count++}`;
  database = await server.createDatabase(name);
  const signer_key_file = join(folder, `${name}.key`);
  makeSignerKey(signer_key_file, loadConfig({}).name);
  token = await prepare({ database, signer_key_file });
  const direct = new URL(database);
  proxy = await startProxy(Number(direct.port));
  direct.hostname = "127.0.0.1";
  direct.port = String(proxy.port);
  registry = await startProcess({ database: direct.href, signer_key_file });
});
afterEach(() => {
  killServices();
  proxy.close();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

interface Timed {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Returns an answer, which must arrive in time. */
async function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<Timed> {
  const isChange = method !== "GET";
  const response = await fetch(`${registry.url}${path}`, {
    method,
    headers: {
      ...(isChange && { authorization: `Bearer ${token}`, "content-type": "application/json" }),
      ...headers,
    },
    ...(isChange && { body: JSON.stringify(EMPTY) }),
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const statusOf = async (method: string, path: string): Promise<number> => (await ask(method, path)).status;

test("a database that does not answer causes a prompt 503, and is used again when it answers", async () => {
  expect(await statusOf("PATCH", "/agents/demo")).toBe(200);
  proxy.freeze();
  const paths = ["/agents", "/agents/demo", "/agents/demo/versions", "/agents/demo/consent?accepted=1", "/readyz"];
  const answers = await Promise.all([
    ...paths.flatMap((path) => Array.from({ length: 10 }, () => ask("GET", path))),
    ...Array.from({ length: 10 }, () => ask("PATCH", "/agents/demo")),
    ask("GET", "/events?agent=demo"),
    ask("GET", "/agents/demo/history"),
  ]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(JSON.parse(answers[0]?.text ?? "")).toMatchObject({ code: "UNAVAILABLE" });
  expect(Number(answers[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await statusOf("GET", "/healthz")).toBe(200);
  proxy.resume();
  await expect.poll(() => statusOf("GET", "/readyz"), POLL).toBe(200);
  await expect.poll(() => statusOf("PATCH", "/agents/demo"), POLL).toBe(200);
  expect(await statusOf("GET", "/agents/demo/versions")).toBe(200);
  expect(await registry.end()).toBe(0);
  await checkWhole(database, []);
});

test("a change whose commit hangs is stored once when it is repeated with its Idempotency-Key", async () => {
  const headers = { "idempotency-key": "the-one" };
  proxy.freezeBehind("commit");
  expect((await ask("PATCH", "/agents/demo", headers)).status).toBe(503);
  proxy.resume();
  let answer: Timed | undefined;
  await expect
    .poll(async () => {
      answer = await ask("PATCH", "/agents/demo", headers);
      return answer.status;
    }, POLL)
    .toBe(200);
  expect(answer?.headers.get("idempotent-replayed")).toBe("true");
  expect(JSON.parse(answer?.text ?? "")).toMatchObject({ capability_manifest_version: 2 });
  expect(await checkWhole(database, [2])).toBe(2);
});

test("an agent's locked row does not block changes of other agents", async () => {
  const body = JSON.stringify({ agent_id: "other", manifest: EMPTY });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  expect((await fetch(`${registry.url}/agents`, { method: "POST", headers, body })).status).toBe(201);
  const client = new pg.Client(database);
  await client.connect();
  await client.query("begin");
  await client.query("select * from agents where id = 'demo' for update");
  const locked = Array.from({ length: 20 }, () => statusOf("PATCH", "/agents/demo"));
  for (let times = 0; times < 20; times++) expect(await statusOf("PATCH", "/agents/other")).toBe(200);
  expect(new Set(await Promise.all(locked))).toEqual(new Set([503]));
  await client.query("rollback");
  await client.end();
  await expect.poll(() => statusOf("PATCH", "/agents/demo"), POLL).toBe(200);
});

test("the process ends while its database does not answer", async () => {
  proxy.freeze();
  const asked = statusOf("GET", "/agents").catch(() => 0);
  expect(
    await Promise.race([
      registry.end(),
      new Promise((resolve) => setTimeout(() => resolve("it goes on"), ANSWERED_WITHIN_MS).unref()),
    ]),
  ).toBe(0);
  await asked;
});
