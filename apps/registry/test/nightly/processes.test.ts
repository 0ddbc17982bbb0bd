import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { type PostgresServer, startPostgres } from "@agentprint/testing/postgres-server";
import { outputOf } from "@agentprint/testing/programs";
import { environmentOf, startProcess } from "@agentprint/testing/registry-process";
import { killServices } from "@agentprint/testing/service-process";
import { makeSignerKey } from "@agentprint/trail-store";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { readEvents, take } from "../support/read-events.ts";
import { checkWhole, killRounds, prepare, publish, type Settings } from "../support/storm.ts";

let folder = "";
let server: PostgresServer;
let databases = 0;

async function newSettings(dialect: string): Promise<Settings> {
  const name = `registry_${databases++}`;
  const signer_key_file = join(folder, `${name}.key`);
  makeSignerKey(signer_key_file, loadConfig({}).name);
  const database = dialect === "PostgreSQL" ? await server.createDatabase(name) : `file:${join(folder, `${name}.db`)}`;
  return { database, signer_key_file };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "registry-slow-"));
  server = await startPostgres({ durable: true });
});
afterEach(killServices);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe.each(["SQLite", "PostgreSQL"])("instances on one database of %s", (dialect) => {
  test("give 100 concurrent changes consecutive versions, each once", async () => {
    const settings = await newSettings(dialect);
    const token = await prepare(settings);
    const instances = await Promise.all([startProcess(settings), startProcess(settings)]);
    const versions = await Promise.all(
      Array.from({ length: 100 }, (_, patch) => publish(instances[patch % 2]?.url ?? "", token, patch)),
    );
    expect(versions.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 2));
    for (const instance of instances) expect(await instance.end()).toBe(0);
    expect(await checkWhole(settings.database, versions.map(Number))).toBe(101);
  });

  test("lose nothing acknowledged when they are killed", async () => {
    const settings = await newSettings(dialect);
    const token = await prepare(settings);
    expect(await killRounds(settings, token, 2)).toBeGreaterThan(12);
  });
});

test("a stream on one instance receives versions that another accepted, and continues after a lost connection", async () => {
  const settings = await newSettings("PostgreSQL");
  const token = await prepare(settings);
  const [first, second] = await Promise.all([startProcess(settings), startProcess(settings)]);
  const events = readEvents(await fetch(`${second.url}/events?agent=demo`));
  expect(await publish(first.url, token, 1)).toBe(2);
  const [event] = await take(events, 1);
  expect(event).toMatchObject({ id: "demo=2", data: { capability_manifest_version: 2 } });
  await server.restart();
  // The listening connection is opened again, and then reports what was missed.
  let version: number | undefined;
  while (version === undefined) version = await publish(first.url, token, 2);
  expect((await take(events, 1))[0]?.data.capability_manifest_version).toBe(3);
  await second.kill();
  const again = readEvents(
    await fetch(`${first.url}/events?agent=demo`, { headers: { "last-event-id": event?.id ?? "" } }),
  );
  expect((await take(again, 1))[0]?.data.capability_manifest_version).toBe(3);
  await again.return();
  expect(await first.end()).toBe(0);
});

test("an instance does not start on tables that are not migrated, or without the key for checkpoints", async () => {
  const settings = await newSettings("PostgreSQL");
  await expect(startProcess(settings)).rejects.toThrow(/ended with 2/);
  await prepare(settings);
  await expect(startProcess({ database: settings.database })).rejects.toThrow(/ended with 2/);
});

test("the steps of the compose file make a registry that answers", async () => {
  const signer_key_file = join(folder, "compose.key");
  const settings = { database: await server.createDatabase("compose"), signer_key_file, name: "example.com/registry" };
  const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
  const command = (...args: string[]): string =>
    outputOf(process.execPath, ["--conditions=@agentprint/source", main, ...args], {
      env: environmentOf(settings),
      stdio: ["ignore", "pipe", "ignore"],
    });
  expect(command("keygen", signer_key_file)).toContain("Keep a copy");
  expect(command("migrate")).toMatch(/^Migrated: 001_registry, /);
  const token = command("keys", "issue", "--agent", "demo").trim();
  const registry = await startProcess(settings);
  const body = JSON.stringify({ agent_id: "demo", manifest: EMPTY });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  expect((await fetch(`${registry.url}/agents`, { method: "POST", headers, body })).status).toBe(201);
  expect(await publish(registry.url, token, 1)).toBe(2);
  expect(await (await fetch(`${registry.url}/readyz`)).text()).toBe("ok\n");
  expect(await registry.end()).toBe(0);
  expect(await checkWhole(settings.database, [1, 2])).toBe(2);
});
