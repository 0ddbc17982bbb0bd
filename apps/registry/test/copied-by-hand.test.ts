import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { environmentOf } from "@agentprint/testing/registry-process";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfig } from "../src/config/config.ts";
import { EVERY_AGENT, issueKey } from "../src/keys/keys.ts";
import { type RunningRegistry, startRegistry } from "../src/serve.ts";
import { migrate } from "../src/store/migrations.ts";
import { openStore } from "../src/store/open-store.ts";

let folder = "";
let settings: Record<string, string> = {};
let running: RunningRegistry | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "registry-by-hand-"));
  settings = {
    database: `file:${join(folder, "registry.db")}`,
    port: "0",
    checkpoint_to: join(folder, "elsewhere"),
    checkpoint_interval_seconds: "1",
  };
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

async function issue(): Promise<string> {
  const store = await openStore(settings["database"] ?? "");
  await migrate(store.db);
  const { token } = await issueKey(store, EVERY_AGENT, new Date());
  await store.close();
  return token;
}

async function start(): Promise<string> {
  running = await startRegistry(loadConfig(environmentOf(settings)), pino({ level: "silent" }));
  return running.url;
}

/** Ends the registry, which signs and sends unsigned versions. */
async function stop(): Promise<void> {
  await running?.close();
  running = undefined;
}

async function send(url: string, token: string, method: string, path: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  expect(response.ok).toBe(true);
}

/**
 * Waits until a checkpoint covers this many versions, because a registry ends without signing if that takes too long.
 */
async function untilSigned(url: string, versions: number): Promise<void> {
  const size = async () => (await (await fetch(`${url}/agents/demo/checkpoint`)).text()).split("\n")[1];
  await expect.poll(size, { timeout: 30_000 }).toBe(String(versions));
}

/** Copies a database including the part that SQLite has not yet moved into its file; replaces an existing copy. */
function copyDatabase(from: string, to: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(folder, to + suffix), { force: true });
  for (const suffix of ["", "-wal"]) {
    if (existsSync(join(folder, from + suffix))) copyFileSync(join(folder, from + suffix), join(folder, to + suffix));
  }
}

const version = (patch: number) => ({ ...EMPTY, agent_version: `1.0.${patch}` });

test.each(["file", "http:"])(
  "a database copied by hand does not start if its checkpoints cannot be read: %s",
  async (place) => {
    const token = await issue();
    const url = await start();
    await send(url, token, "POST", "/agents", { agent_id: "demo", manifest: version(1) });
    await untilSigned(url, 1);
    await stop();
    copyDatabase("registry.db", "by-hand.db");
    const again = await start();
    await send(again, token, "PATCH", "/agents/demo", version(2));
    await untilSigned(again, 2);
    await stop();
    copyDatabase("by-hand.db", "registry.db");
    const elsewhere = settings["checkpoint_to"] ?? "";
    settings["checkpoint_to"] = place === "file" ? join(folder, "nowhere") : "http://127.0.0.1:1/";
    await expect(start()).rejects.toMatchObject({
      code: "ROLLED_BACK",
      message: expect.stringMatching(/^the database may be an older copy: .*cannot be read.*--accept-rollback$/),
    });
    settings["checkpoint_to"] = elsewhere;
    await expect(start()).rejects.toMatchObject({
      code: "ROLLED_BACK",
      message: expect.stringContaining("demo has 1 of 2"),
    });
  },
);

test("a database that has signed nothing yet starts without a readable place", async () => {
  settings["checkpoint_to"] = "http://127.0.0.1:1/";
  await start();
  expect((await fetch(`${running?.url}/healthz`)).status).toBe(200);
});

test("a registry that ended before it sent its first checkpoint starts again", async () => {
  await start();
  await stop();
  const { checkpoint_to = "", ...without } = settings;
  settings = without;
  const token = await issue();
  const url = await start();
  await send(url, token, "POST", "/agents", { agent_id: "demo", manifest: version(1) });
  await untilSigned(url, 1);
  await stop();
  settings = { ...without, checkpoint_to };
  expect(readdirSync(checkpoint_to)).toEqual([]);
  await start();
  await expect.poll(() => readdirSync(checkpoint_to).length, { timeout: 30_000 }).toBeGreaterThan(0);
});

test.each([
  ["below a folder that is missing", () => join(folder, "not-mounted", "elsewhere")],
  // Node's recursive `mkdir` never ends there.
  [
    "below a folder that takes none",
    () => (process.platform === "linux" ? "/proc/agentprint" : "/dev/null/agentprint"),
  ],
])("a place %s is reported, and the chains are signed", async (_name, place) => {
  settings["checkpoint_to"] = place();
  const token = await issue();
  const url = await start();
  await send(url, token, "POST", "/agents", { agent_id: "demo", manifest: version(1) });
  await untilSigned(url, 1);
  const ready = async (): Promise<string> => (await fetch(`${url}/readyz`)).text();
  await expect.poll(ready, { timeout: 30_000 }).toMatch(/^ok\n.*checkpoints are not sent elsewhere: ENO(?:ENT|TDIR)/);
  expect(existsSync(join(folder, "not-mounted"))).toBe(false);
});
