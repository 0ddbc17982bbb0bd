import { createServer, get, request, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { startProcess } from "@agentprint/testing/registry-process";
import type { ServiceProcess } from "@agentprint/testing/service-process";
import { sql } from "kysely";
import { addWebhook } from "../../src/events/webhooks.ts";
import { issueKey } from "../../src/keys/keys.ts";
import { migrate } from "../../src/store/migrations.ts";
import { openStore } from "../../src/store/open-store.ts";

/** The faults of the unmeasured agent, webhook, streams or key. */
export type Fault = "agent" | "webhook" | "stream" | "key";

/** The agent that is measured, and the other agent. */
const AGENTS = { measured: "measured", beside: "beside" } as const;
const DAMAGED = "a-damaged";
const VOICE = { ...EMPTY, capability_flags: { supports_voice: true } };
const STREAMS = 50;
const UNFINISHED = 20;

/** A registry with a measured agent and another agent, which has the fault or is equally busy without it. */
export interface Neighbours {
  readonly url: string;
  /** The measured agent's key. */
  readonly token: string;
  /** Called with the version in each of the measured agent's events. */
  readonly onEvent: (heard: (version: number) => void) => void;
  /** Called with the version in each message to the measured agent's webhook. */
  readonly onWebhook: (heard: (version: number) => void) => void;
  /** Makes a change to the other agent and returns the answer's status. */
  readonly changeBeside: (nth: number) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Starts a registry on the database file `path`; `fault` is `undefined` if none is simulated. */
export async function startNeighbours(path: string, fault: Fault | undefined): Promise<Neighbours> {
  const heard = { event: (_version: number): void => {}, webhook: (_version: number): void => {} };
  const receiver = await listen((version) => heard.webhook(version), false);
  const beside = await listen(() => {}, fault === "webhook");
  const database = `file:${path}`;
  const tokens = await fill(database, urlOf(receiver), urlOf(beside));
  if (fault === "agent") await damage(database);
  const registry = await startProcess({
    database,
    checkpoint_interval_seconds: "1",
    address_stream_limit: "1000",
    stream_limit: "1000",
    key_limit: "1000000",
  });
  const { url } = registry;
  const sockets = Array.from({ length: STREAMS }, () => openStream(url, fault !== "stream"));
  readStream(url, (version) => heard.event(version));
  if (fault === "key") for (let nth = 0; nth < UNFINISHED; nth++) beginChange(url, tokens.beside);
  return {
    url,
    token: tokens.measured,
    onEvent: (listener) => {
      heard.event = listener;
    },
    onWebhook: (listener) => {
      heard.webhook = listener;
    },
    changeBeside: (nth) => change(url, tokens.beside, AGENTS.beside, nth),
    close: () => close(registry, [receiver, beside], sockets),
  };
}

/**
 * Publishes a change to an agent; every second change is breaking, so that webhooks are notified. Returns the answer's
 * status.
 */
export async function change(url: string, token: string, agent: string, nth: number): Promise<number> {
  const response = await fetch(`${url}/agents/${agent}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(nth % 2 === 0 ? VOICE : EMPTY),
  });
  await response.arrayBuffer();
  return response.status;
}

async function fill(database: string, receiver: string, beside: string): Promise<{ measured: string; beside: string }> {
  const store = await openStore(database);
  try {
    await migrate(store.db);
    const now = new Date();
    await addWebhook(store.db, AGENTS.measured, receiver, now);
    await addWebhook(store.db, AGENTS.beside, beside, now);
    const { token: all } = await issueKey(store, "*", now);
    const registry = await startProcess({ database });
    for (const agent_id of [DAMAGED, ...Object.values(AGENTS)]) await create(registry.url, all, agent_id);
    await registry.end();
    const [measured, other] = [await issueKey(store, AGENTS.measured, now), await issueKey(store, AGENTS.beside, now)];
    return { measured: measured.token, beside: other.token };
  } finally {
    await store.close();
  }
}

async function create(url: string, token: string, agent_id: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ agent_id, manifest: EMPTY });
  const { status } = await fetch(`${url}/agents`, { method: "POST", headers, body });
  if (status !== 201) throw new Error(`expected 201, received ${status}`);
}

/**
 * Changes records of one agent before its first checkpoint, and of the other agent, whose chain is signed again and
 * again.
 */
async function damage(database: string): Promise<void> {
  const { db, close: end } = await openStore(database);
  await sql`drop trigger thoughts_no_update`.execute(db);
  await sql`update thoughts set content = '{}' where task_id in ('agents/a-damaged', 'agents/beside')`.execute(db);
  await end();
}

/** Starts a receiver of messages to a webhook; a hanging receiver does not answer. */
async function listen(heard: (version: number) => void, hangs: boolean): Promise<Server> {
  const server = createServer(async (sent, response) => {
    let text = "";
    for await (const chunk of sent) text += chunk;
    heard(versionIn(text));
    if (!hangs) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function readStream(url: string, heard: (version: number) => void): void {
  get(`${url}/events?agent=${AGENTS.measured}`, { agent: false }, (response) => {
    response.on("error", () => {}).setEncoding("utf8");
    response.on("data", (text: string) => {
      for (const [, version] of text.matchAll(/^id: measured=(\d+)$/gm)) heard(Number(version));
    });
  }).on("error", () => {});
}

function openStream(url: string, isRead: boolean): Socket {
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () =>
    socket.write(`GET /events?agent=${AGENTS.beside} HTTP/1.1\r\nhost: registry\r\n\r\n`),
  );
  socket.on("error", () => {});
  if (isRead) socket.resume();
  else socket.pause();
  return socket;
}

/** Sends a change whose body does not arrive. */
function beginChange(url: string, token: string): void {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", "content-length": "100" };
  const sent = request(`${url}/agents/${AGENTS.beside}`, { method: "PATCH", headers, agent: false });
  sent.on("error", () => {});
  sent.on("response", (response) => {
    response.on("error", () => {}).resume();
    response.on("close", () => beginChange(url, token));
  });
  sent.flushHeaders();
  sent.write("{");
}

function versionIn(text: string): number {
  return Number(/"capability_manifest_version":(\d+)/.exec(text)?.[1]);
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function close(registry: ServiceProcess, servers: readonly Server[], sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy();
  const code = await registry.end();
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  if (code !== 0) throw new Error(`the registry ended with ${code}`);
}
