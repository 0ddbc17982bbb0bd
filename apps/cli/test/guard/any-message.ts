import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { mutated } from "@agentprint/testing/messages/mutated-messages";
import {
  answersTo,
  NOTICES_OF_CLIENT,
  NOTICES_OF_SERVER,
  OF_CLIENT,
} from "@agentprint/testing/messages/sample-messages";
import fc from "fast-check";
import { expect, onTestFinished } from "vitest";
import { Workspace } from "../support/workspace.ts";
import { RECORD, recordedEvents } from "./fault-world.ts";
import { callOf, Guarded, INITIALIZE } from "./guarded.ts";
import { listening, MODERN } from "./support.ts";

const SERVER = fileURLToPath(new URL("any-server.mjs", import.meta.url));
/** The number of client messages that wait for their answers at the same time. */
const AT_ONCE = 32;

/** Returns messages as text, changed in some places, alone and in batches; the same seed gives the same texts. */
function textsOf(messages: Parameters<typeof mutated>[0], count: number, seed: number): string[] {
  const texts = fc.sample(mutated(messages), { numRuns: count, seed });
  return texts.map((text, index) => {
    if (index % 7 === 3) return `[${text}]`;
    return index % 11 === 5 ? `[${text},${texts[index - 1]}]` : text;
  });
}

const saidByServer = (count: number, seed: number): string[] =>
  textsOf([...answersTo("r"), ...NOTICES_OF_SERVER], count, seed);
const saidByClient = (count: number, seed: number): string[] =>
  textsOf([...OF_CLIENT, ...NOTICES_OF_CLIENT], count, seed);

/** Starts a remote server that sends one of these lines in each answer, or several of them as events. */
async function remoteServer(lines: string[]): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { id, method, params } = JSON.parse(body || "{}");
    if (id === undefined || request.method !== "POST") {
      response.writeHead(request.method === "POST" ? 202 : 405).end();
      return;
    }
    const isModern = params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
    const about = isModern ? { resultType: "complete", ttlMs: 0, cacheScope: "private" } : {};
    const tools = [{ name: "read_file", inputSchema: { type: "object" } }];
    const capabilities = { tools: {} };
    const result =
      method === "initialize"
        ? { protocolVersion: "2025-03-26", capabilities, serverInfo: { name: "any", version: "1" } }
        : method === "server/discover"
          ? { ...about, supportedVersions: ["2026-07-28"], capabilities }
          : { ...about, ...(method === "tools/list" ? { tools } : { content: [] }) };
    const own = JSON.stringify({ jsonrpc: "2.0", id, result });
    const [first = own, ...more] = lines
      .splice(0, lines.length % 3 === 0 ? 1 : 10)
      .map((line) => line.replaceAll('"r"', JSON.stringify(id)));
    if (more.length === 0) {
      response.writeHead(200, { "content-type": "application/json" }).end(first);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const line of [first, ...more, own]) response.write(`id: ${line.length}\n: a comment\ndata: ${line}\n\n`);
    response.end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function pinned(...launches: readonly (readonly [name: string, ...words: string[]])[]): Promise<Workspace> {
  const space = new Workspace();
  onTestFinished(() => space[Symbol.dispose]());
  writeFileSync(
    space.path("agentprint.config.json"),
    JSON.stringify({ preset: "compatible", results: { screen: "withhold" } }),
  );
  for (const [name, ...words] of launches) {
    const { code, stderr } = await space.run(["pin", "--name", name, ...words]);
    expect(code, stderr).toBe(0);
  }
  return space;
}

/** Asserts that no message caused a fault in the guard or was left without a decision. */
async function expectNoFaults(space: Workspace): Promise<void> {
  const events = await recordedEvents(space);
  expect(events.length).toBeGreaterThan(0);
  expect(events.filter(({ kind, reason }) => kind === "fault" || reason === "it could not be judged")).toEqual([]);
}

/** Sends the given number of messages in each direction through a stdio guard. */
export async function sayOverStdio(count: number, seed: number): Promise<void> {
  const space = await pinned(["any", "--", process.execPath, SERVER]);
  writeFileSync(space.path("said.jsonl"), saidByServer(count, seed).join("\n"));
  await using guarded = await Guarded.start(space, "any", ...RECORD);
  const { child } = guarded;
  const write = async (line: string): Promise<void> => {
    if (child.stdin?.write(`${line}\n`) === false) await new Promise((resolve) => child.stdin?.once("drain", resolve));
  };
  const answered = async (id: string): Promise<void> => {
    for (;;) if ((await guarded.line()).includes(`"${id}"`)) return;
  };
  const texts = saidByClient(count, seed + 1);
  for (const [index, text] of texts.entries()) {
    if (index === 100) await write(JSON.stringify(INITIALIZE));
    await write(text);
    // Each of these makes the server send its own messages.
    if (index % 20 !== 0) continue;
    await write(JSON.stringify(callOf(`probe-${index}`, "read_file", { path: "a" })));
    await answered(`probe-${index}`);
  }
  expect([child.exitCode, child.signalCode], guarded.stderr).toEqual([null, null]);
  child.stdin?.end();
  await guarded.end();
  await expectNoFaults(space);
}

/** Returns the headers with which a client of the new era describes a message. */
function headersOf(text: string): Record<string, string> {
  try {
    const { method, params } = JSON.parse(text);
    const name = params?.name ?? params?.uri ?? params?.taskId;
    const values = { "mcp-method": method, "mcp-name": name };
    return Object.fromEntries(
      Object.entries(values).filter(([, value]) => typeof value === "string" && /^[\x21-\x7e]+$/.test(value)),
    );
  } catch {
    return {};
  }
}

/** Sends the given number of messages in each direction through a guard that answers over HTTP for three servers. */
export async function sayOverHttp(count: number, seed: number): Promise<void> {
  const remote: string[] = [];
  const space = await pinned(
    ["any", "--", process.execPath, SERVER],
    ["other", "--", process.execPath, SERVER],
    ["remote", "--url", await remoteServer(remote)],
  );
  const third = Math.ceil(count / 3);
  writeFileSync(space.path("said.jsonl"), saidByServer(third * 2, seed).join("\n"));
  remote.push(...saidByServer(third, seed + 1));
  await using guard = await listening(space, ["any", "other", "remote", ...RECORD]);
  const { origin } = guard.url;
  const send = async (path: string, body: string, more: Record<string, string> = {}): Promise<Response> => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", ...more };
    // Each request is answered or refused; none is left pending.
    const signal = AbortSignal.timeout(300_000);
    const response = await fetch(`${origin}/${path}`, { method: "POST", headers, body, signal });
    await response.arrayBuffer();
    return response;
  };
  const version = { "mcp-protocol-version": "2026-07-28" };
  const modern = (path: string, text: string) => send(path, text, { ...version, ...headersOf(text) });
  const greeted = await send("any", JSON.stringify(INITIALIZE));
  const session = { "mcp-session-id": greeted.headers.get("mcp-session-id") ?? "" };
  const texts = saidByClient(count, seed + 2);
  const one = async (index: number): Promise<void> => {
    const text = texts[index] ?? "";
    if (index % 4 === 0) await send("any", text, session);
    else if (index % 4 === 1) await modern("any", text);
    else if (index % 4 === 2) await modern("remote", text);
    else await send("remote", text);
    // Each of these makes the servers send their own messages.
    const probe = JSON.stringify(callOf(index, "read_file", { path: "a" }, MODERN));
    if (index % 10 === 0) await modern("remote", probe);
    if (index % 30 === 0) await modern("any", probe);
    if (index % 30 === 15) await send("any", JSON.stringify(callOf(`p${index}`, "read_file", { path: "a" })), session);
  };
  let turn = 0;
  const say = async (): Promise<void> => {
    for (let index = turn++; index < texts.length; index = turn++) await one(index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, say));
  for (let turns = 0; remote.length > 0 && turns < count; turns++) {
    await modern("remote", JSON.stringify(callOf(turns, "read_file", {}, MODERN)));
  }
  expect(remote).toEqual([]);
  const other = await fetch(`${origin}/other`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...version,
      "mcp-method": "tools/call",
      "mcp-name": "read_file",
    },
    body: JSON.stringify(callOf("last", "read_file", { path: "a" }, MODERN)),
  });
  expect(other.status).toBe(200);
  await expectNoFaults(space);
}
