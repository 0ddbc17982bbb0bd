import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CapabilityManifest, hashManifest } from "@agentprint/manifest";
import {
  type ClientMemory,
  createRegistryClient,
  type RegistryClientOptions,
  type RegistryEvent,
} from "@agentprint/registry-api";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { createProgram } from "../../src/program.ts";
import { type RunningRegistry, startRegistry } from "../../src/serve.ts";

const log = pino({ level: "silent" });
let folder = "";
let running: RunningRegistry | undefined;
let token = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "registry-numbers-"));
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

/** A registry's default settings, which keep no checkpoints elsewhere. */
const env = () => ({
  AGENTPRINT_REGISTRY_DATABASE: `file:${join(folder, "registry.db")}`,
  AGENTPRINT_REGISTRY_PORT: "0",
});

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: "", err: "" };
  const collect = (name: "out" | "err") => ({
    write: (text: string) => {
      written[name] += text;
    },
  });
  const code = await createProgram(env(), collect("out"), collect("err")).run(args);
  return { code, ...written };
}

async function start(accept = false): Promise<string> {
  running = await startRegistry(loadConfig(env()), log, { accept });
  return running.url;
}

async function stop(): Promise<void> {
  await running?.close();
  running = undefined;
}

const version = (patch: number): CapabilityManifest => ({ ...EMPTY, agent_version: `1.0.${patch}` });

/** Sends a change and returns the version number or the problem's code. */
async function send(url: string, method: string, path: string, body: unknown): Promise<number | string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as { code?: string; capability_manifest_version?: number };
  return answer.code ?? answer.capability_manifest_version ?? "";
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function memoryOf(): ClientMemory & { text: () => string } {
  let text: string | undefined;
  return {
    read: async () => text,
    write: async (next) => {
      text = next;
    },
    text: () => text ?? "",
  };
}

/** Creates a client that knows the registry by one address, whatever its current port. */
function clientOf(url: string, options: Partial<RegistryClientOptions>) {
  const address = "http://127.0.0.1:8787";
  const reach = (asked: string, init: RequestInit) => fetch(asked.replace(address, url), init);
  return createRegistryClient({ url: address, fetch: reach, ...options });
}

/**
 * Starts a registry restored to version 2 of `demo` and `other`; `demo` had reached version 4, and `late` version 2.
 */
async function rolledBack(): Promise<{ url: string; memory: ReturnType<typeof memoryOf> }> {
  token = (await run("keys", "issue", "--every-agent")).out.trim();
  let url = await start();
  for (const agent_id of ["demo", "other"]) {
    await send(url, "POST", "/agents", { agent_id, manifest: version(1) });
    await send(url, "PATCH", `/agents/${agent_id}`, version(2));
  }
  await stop();
  expect(await run("backup", join(folder, "copy.db"))).toMatchObject({ code: 0 });
  url = await start();
  for (const patch of [3, 4]) await send(url, "PATCH", "/agents/demo", version(patch));
  await send(url, "POST", "/agents", { agent_id: "late", manifest: version(1) });
  await send(url, "PATCH", "/agents/late", version(2));
  const memory = memoryOf();
  const client = clientOf(url, { memory });
  for (const agent of ["demo", "late"]) await client.readManifest(agent);
  await stop();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(folder, `registry.db${suffix}`), { force: true });
  // The registry does not start with an empty database instead.
  await expect(start()).rejects.toMatchObject({
    code: "INVALID_CONFIGURATION",
    message: expect.stringContaining("restore"),
  });
  expect(existsSync(join(folder, "registry.db"))).toBe(false);
  expect(await run("restore", join(folder, "copy.db"))).toMatchObject({ code: 0 });
  await expect(start()).rejects.toMatchObject({ code: "ROLLED_BACK" });
  url = await start(true);
  // A request with a suspended key's token is informed of the suspension; every other token is unknown.
  expect(await send(url, "PATCH", "/agents/demo", version(9))).toBe("KEY_SUSPENDED");
  const other = token;
  token = `${other.slice(0, -1)}${other.endsWith("A") ? "B" : "A"}`;
  expect(await send(url, "PATCH", "/agents/demo", version(9))).toBe("UNAUTHENTICATED");
  token = other;
  expect(await run("keys", "confirm", token.slice(4, 20))).toMatchObject({ code: 0 });
  return { url, memory };
}

/** Returns the first events of a stream that continues after an event. */
async function events(
  url: string,
  agents: readonly string[],
  lastEventId: string,
  count: number,
): Promise<RegistryEvent[]> {
  const ending = new AbortController();
  const heard: RegistryEvent[] = [];
  for await (const event of createRegistryClient({ url, signal: ending.signal }).hear(agents, { lastEventId })) {
    heard.push(event);
    if (heard.length === count) ending.abort();
  }
  return heard;
}

test("publishing is refused until someone declares each agent's last number, and numbers continue above it", async () => {
  const { url } = await rolledBack();
  for (const agent of ["demo", "other"]) {
    expect(await send(url, "PATCH", `/agents/${agent}`, version(9))).toBe("VERSIONS_UNKNOWN");
  }
  for (const agent_id of ["late", "never"]) {
    expect(await send(url, "POST", "/agents", { agent_id, manifest: version(9) })).toBe("VERSIONS_UNKNOWN");
  }
  expect((await run("versions", "lost")).out).toMatch(
    /demo .*nobody has declared.*\nother .*nobody has declared.*\nnobody has declared whether/,
  );
  expect((await run("versions", "reached", "demo", "4")).out).toBe("demo had reached version 4; numbers given up: 2\n");
  expect(await send(url, "PATCH", "/agents/demo", version(9))).toBe(5);
  expect(await send(url, "PATCH", "/agents/demo", version(10))).toBe(6);
  expect(await send(url, "PATCH", "/agents/other", version(9))).toBe("VERSIONS_UNKNOWN");
  await run("versions", "reached", "late", "2");
  expect(await send(url, "POST", "/agents", { agent_id: "late", manifest: version(9) })).toBe(3);
  expect((await run("versions", "reached", "--rest")).out).toBe("No other agent had newer versions\n");
  expect(await send(url, "PATCH", "/agents/other", version(9))).toBe(3);
  expect(await send(url, "POST", "/agents", { agent_id: "never", manifest: version(9) })).toBe(1);
  expect((await run("versions", "lost")).out).toBe("");
  // Every route that reads versions reports that a lost number is not a version.
  expect(await (await fetch(`${url}/agents/demo/versions/3`)).json()).toMatchObject({
    code: "VERSION_NOT_FOUND",
    detail: "version 3 of demo was lost in a rollback",
  });
  const client = createRegistryClient({ url, token, memory: memoryOf() });
  const listed = await all(client.listVersions("demo"));
  expect(listed.map((one) => one.capability_manifest_version)).toEqual([1, 2, 5, 6]);
  expect(await client.publish("demo", version(11), { review: () => true })).toMatchObject({ outcome: "published" });
  const histories = await all(client.history("demo"));
  expect(histories.map((entry) => JSON.parse(entry.record.content).lost === true)).toEqual([
    false,
    false,
    true,
    true,
    false,
    false,
    false,
  ]);
  await stop();
  // The database is intact, and can be backed up and restored.
  expect(await run("backup", join(folder, "second.db"))).toMatchObject({ code: 0, err: "" });
  await start();
});

test("clients' memories show each agent's last number, and the highest is used", async () => {
  const { url, memory } = await rolledBack();
  const behind = memoryOf();
  await clientOf(url, { memory: behind }).readManifest("demo");
  const files = [memory, behind].map(({ text }, index) => {
    const file = join(folder, `memory-${index}.json`);
    writeFileSync(file, text());
    return file;
  });
  const { code, out } = await run("versions", "reached", "--memory", ...files);
  expect([code, out.split("\n").sort()]).toEqual([
    0,
    ["", "demo had reached version 4; numbers given up: 2", "late had reached version 2; numbers given up: 2"],
  ]);
  expect(await send(url, "PATCH", "/agents/demo", version(9))).toBe(5);
  expect(await send(url, "POST", "/agents", { agent_id: "late", manifest: version(9) })).toBe(3);
  // The client that saw the lost version reports it until its user accepts.
  const client = clientOf(url, { memory });
  await expect(client.readManifest("demo")).rejects.toMatchObject({ code: "rolled-back" });
  const accepting = clientOf(url, { memory, acceptRollback: true });
  expect(await accepting.readManifest("demo")).toMatchObject({ capability_manifest_version: 5 });
  expect(await client.readManifest("demo")).toMatchObject({ capability_manifest_version: 5 });
});

test("a client that is ahead receives reset and is reported, even after the numbers pass its own again", async () => {
  const { url } = await rolledBack();
  const reset = { event: "reset", news: { agent_id: "demo", capability_manifest_version: 2 } };
  expect((await events(url, ["demo"], "demo=4", 2))[1]).toMatchObject(reset);
  await expect
    .poll(async () => (await run("versions", "lost")).out)
    .toContain("a client reports that it has seen version 4");
  await run("versions", "reached", "demo", "4");
  expect((await run("versions", "lost")).out).not.toContain("a client reports that it has seen version 4");
  for (const patch of [5, 6]) await send(url, "PATCH", "/agents/demo", version(patch));
  const later = await events(url, ["demo"], "demo=4", 2);
  expect(later[1]).toMatchObject({ ...reset, news: { agent_id: "demo", capability_manifest_version: 6 } });
  // A client that was not ahead continues, and receives `reset` for the missing numbers.
  const behind = await events(url, ["demo"], "demo=2", 3);
  expect(behind.map(({ event, news }) => [event, "agent_id" in news ? news.capability_manifest_version : 0])).toEqual([
    ["start", 0],
    ["reset", 5],
    ["version", 6],
  ]);
  // A stream that continues after one of this registry's own events receives no `reset`.
  await send(url, "PATCH", "/agents/demo", version(7));
  const own = await events(url, ["demo"], behind.at(-1)?.id ?? "", 2);
  expect(own[1]).toMatchObject({ event: "version", news: { capability_manifest_version: 7 } });
});

test("numbers are returned before the rest is abandoned, and contradictory input is refused", async () => {
  const { url } = await rolledBack();
  const file = join(folder, "manifest.json");
  writeFileSync(file, JSON.stringify(version(3)));
  expect(await run("versions", "give-back", "demo", file, "--hash", hashManifest(version(3)))).toMatchObject({
    code: 0,
    out: "Restored version 3 of demo\n",
  });
  expect(await send(url, "PATCH", "/agents/demo", version(9))).toBe("VERSIONS_UNKNOWN");
  await run("versions", "reached", "demo", "4");
  expect(await send(url, "PATCH", "/agents/demo", version(9))).toBe(5);
  expect(await run("versions", "give-back", "demo", file, "--hash", hashManifest(version(3)))).toMatchObject({
    code: 2,
  });
  expect(await run("versions", "reached", "other", "1")).toMatchObject({ code: 0 });
  expect(await send(url, "PATCH", "/agents/other", version(9))).toBe(3);
  for (const wrong of [
    ["demo"],
    ["demo", "-1"],
    ["demo", "x"],
    ["demo", "1000000"],
    [],
    ["--memory", file],
    ["--memory", "none"],
  ]) {
    expect(await run("versions", "reached", ...wrong), wrong.join(" ")).toMatchObject({ code: 2, out: "" });
  }
});
