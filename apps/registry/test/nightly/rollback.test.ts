import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CapabilityManifest, hashManifest } from "@agentprint/manifest";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { createProgram } from "../../src/program.ts";
import type { RollbackOptions } from "../../src/rollback/check-start.ts";
import { type RunningRegistry, startRegistry } from "../../src/serve.ts";
import { isWhollyKept, notesIn } from "../support/kept-notes.ts";

const NAME = "localhost/agentprint-registry";
const log = pino({ level: "silent" });

let folder = "";
let settings: Record<string, string> = {};
let running: RunningRegistry | undefined;
/** Returns the notes that are kept elsewhere. */
let kept: () => readonly string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "registry-rollback-"));
  settings = {
    DATABASE: `file:${join(folder, "registry.db")}`,
    PORT: "0",
    CHECKPOINT_TO: join(folder, "elsewhere"),
  };
  kept = () => notesIn(join(folder, "elsewhere"));
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  rmSync(folder, { recursive: true });
});

const env = (): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`AGENTPRINT_REGISTRY_${name}`, value]));

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

async function start(rollback: RollbackOptions = { accept: false }): Promise<string> {
  running = await startRegistry(loadConfig(env()), log, rollback);
  return running.url;
}

/**
 * Ends the registry, which signs and sends unsigned versions. The time for this is limited, so a busy machine may leave
 * the rest for the next start.
 */
async function stop(): Promise<void> {
  await running?.close();
  running = undefined;
  const isKept = () => isWhollyKept(settings["DATABASE"] ?? "", NAME, kept());
  if (await isKept()) return;
  await start();
  await expect.poll(isKept).toBe(true);
  await stop();
}

const version = (patch: number): CapabilityManifest => ({ ...EMPTY, agent_version: `1.0.${patch}` });

async function send(url: string, token: string, method: string, path: string, body: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (await fetch(url + path, { method, headers, body: JSON.stringify(body) })).status;
}

async function issue(...words: string[]): Promise<string> {
  return (await run("keys", "issue", ...(words.length > 0 ? words : ["--every-agent"]))).out.trim();
}

const idOf = (token: string): string => token.slice(4, 20);

/**
 * Starts a registry and makes a backup at version 2 of `demo`; versions 3 and 4 and the agent `late` follow after it.
 */
async function rolledBack(between: () => Promise<void> = async () => {}): Promise<{ token: string }> {
  const token = await issue();
  const url = await start();
  await send(url, token, "POST", "/agents", { agent_id: "demo", manifest: version(1) });
  await send(url, token, "PATCH", "/agents/demo", version(2));
  await stop();
  expect(await run("backup", join(folder, "copy.db"))).toMatchObject({ code: 0, err: "" });
  const again = await start();
  await send(again, token, "PATCH", "/agents/demo", version(3));
  await send(again, token, "PATCH", "/agents/demo", version(4));
  await send(again, token, "POST", "/agents", { agent_id: "late", manifest: version(1) });
  await between();
  await stop();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(folder, `registry.db${suffix}`), { force: true });
  return { token };
}

const restore = () => run("restore", join(folder, "copy.db"));
describe("a backup", () => {
  test("of a registry in use includes its log, is verified, and replaces nothing", async () => {
    const token = await issue();
    const url = await start();
    await send(url, token, "POST", "/agents", { agent_id: "demo", manifest: version(1) });
    for (let patch = 2; patch <= 20; patch++) await send(url, token, "PATCH", "/agents/demo", version(patch));
    await expect.poll(kept, { timeout: 60_000 }).not.toEqual([]);
    const file = join(folder, "copy.db");
    const { code, out } = await run("backup", file);
    expect([code, out]).toEqual([0, `Wrote ${file}: 21 records in 2 chains, all intact\n`]);
    expect(await run("backup", file)).toMatchObject({ code: 2, err: expect.stringContaining("already") });
    expect(readdirSync(folder).filter((name) => name.startsWith("copy.db"))).toEqual(["copy.db"]);
    expect(await restore()).toMatchObject({ code: 2, err: expect.stringContaining("move it away first") });
  });

  test("that is incomplete leaves no file, and restores nothing", async () => {
    await rolledBack();
    const { default: Database } = await import("better-sqlite3");
    const copy = new Database(join(folder, "copy.db"));
    copy.exec("update agents set version = 3");
    copy.close();
    expect(await restore()).toMatchObject({ code: 2, err: expect.stringContaining("lacks versions of demo") });
    expect(readdirSync(folder).filter((name) => name.startsWith("registry.db"))).toEqual(["registry.db.signer-key"]);
  });

  test("is refused by a database that is older than the checkpoints kept elsewhere, or cannot reach them", async () => {
    await rolledBack();
    await restore();
    expect(await run("backup", join(folder, "b.db"))).toMatchObject({ code: 2, err: expect.stringContaining("older") });
    settings["CHECKPOINT_TO"] = join(folder, "nowhere");
    expect((await run("backup", join(folder, "b.db"))).err).toContain("cannot be read");
  });
});

describe("a restored registry", () => {
  test("that is as new as the checkpoints kept elsewhere starts, and accepts its keys", async () => {
    const token = await issue();
    const url = await start();
    await send(url, token, "POST", "/agents", { agent_id: "demo", manifest: version(1) });
    await stop();
    await run("backup", join(folder, "copy.db"));
    for (const suffix of ["", "-wal", "-shm"]) rmSync(join(folder, `registry.db${suffix}`), { force: true });
    await restore();
    expect(await send(await start(), token, "PATCH", "/agents/demo", version(2))).toBe(200);
  });

  test("that is older does not start, and leaves the checkpoints kept elsewhere", async () => {
    await rolledBack();
    expect((await restore()).code).toBe(0);
    const before = kept();
    await expect(start()).rejects.toMatchObject({
      code: "ROLLED_BACK",
      message: expect.stringMatching(/demo has 2 of 4 records, late has 0 of 1 records.*--accept-rollback/),
    });
    expect(kept()).toEqual(before);
  });

  test.each(["unset", "unreachable", "empty"])("does not start if its age cannot be known: %s", async (place) => {
    await rolledBack();
    await restore();
    mkdirSync(join(folder, "empty"));
    if (place === "unset") delete settings["CHECKPOINT_TO"];
    else settings["CHECKPOINT_TO"] = place === "empty" ? join(folder, "empty") : "http://127.0.0.1:1/";
    await expect(start()).rejects.toMatchObject({ code: "ROLLED_BACK" });
    await start({ accept: true });
    expect((await run("keys", "list")).out).toContain("suspended");
  });

  test("does not start on notes that its key did not sign", async () => {
    await rolledBack();
    await restore();
    for (const name of readdirSync(join(folder, "elsewhere"))) {
      const file = join(folder, "elsewhere", name);
      writeFileSync(file, readFileSync(file, "utf8").replace(/\n2\n/, "\n1\n").replace(/\n4\n/, "\n2\n"));
    }
    await expect(start()).rejects.toMatchObject({ code: "ROLLED_BACK" });
  });

  test("whose rollback is accepted signs that, suspends keys, and never reuses a lost number", async () => {
    settings["CHECKPOINT_INTERVAL_SECONDS"] = "3600";
    const { token } = await rolledBack();
    // The list of keys was not kept.
    for (const name of readdirSync(join(folder, "elsewhere"))) {
      const file = join(folder, "elsewhere", name);
      if (readFileSync(file, "utf8").startsWith(`${NAME}/keys\n`)) rmSync(file);
    }
    await restore();
    const url = await start({ accept: true });
    expect(await send(url, token, "PATCH", "/agents/demo", version(9))).toBe(401);
    expect((await run("keys", "confirm", idOf(token))).code).toBe(0);
    expect(await send(url, token, "PATCH", "/agents/demo", version(9))).toBe(409);
    expect(await send(url, token, "POST", "/agents", { agent_id: "late", manifest: version(9) })).toBe(409);
    expect((await run("versions", "lost")).out).toBe(
      "demo  versions 3 to 4 are lost\nlate  versions 1 to 1 are lost\n",
    );
    const giveBack = (agent: string, patch: number, hash = hashManifest(version(patch))) => {
      const file = join(folder, "manifest.json");
      writeFileSync(file, JSON.stringify(version(patch)));
      return run("versions", "give-back", agent, file, "--hash", hash);
    };
    expect(await giveBack("demo", 9, "0".repeat(64))).toMatchObject({ code: 2 });
    expect((await giveBack("demo", 3)).out).toBe("Restored version 3 of demo\n");
    expect(await send(url, token, "PATCH", "/agents/demo", version(9))).toBe(409);
    expect((await giveBack("demo", 4)).code).toBe(0);
    expect((await giveBack("late", 1)).out).toBe("Restored version 1 of late\n");
    expect(await giveBack("demo", 5)).toMatchObject({ code: 2, err: expect.stringContaining("no version") });
    expect(await send(url, token, "PATCH", "/agents/demo", version(9))).toBe(200);
    await stop();
    // The rollback is in the registry's signed chain, and the next start needs no declaration.
    expect(await run("backup", join(folder, "second.db"))).toMatchObject({ code: 0 });
    await start();
  });

  test("accepts the keys in the signed list next to the checkpoints", async () => {
    let revoked = "";
    const { token } = await rolledBack(async () => {
      revoked = idOf(await issue("--agent", "demo"));
    });
    await restore();
    const url = await start({ accept: true });
    expect(await send(url, token, "PATCH", "/agents/demo", version(3))).toBe(409);
    expect((await run("keys", "list")).out).not.toContain(revoked);
    expect((await run("keys", "list")).out).not.toContain("suspended");
  });

  test("does not accept a key that was revoked after the backup", async () => {
    const owner = await issue("--agent", "demo");
    await rolledBack(async () => void (await run("keys", "revoke", idOf(owner))));
    await restore();
    const url = await start({ accept: true });
    expect(await send(url, owner, "PATCH", "/agents/demo", version(3))).toBe(401);
    expect((await run("keys", "list")).out).toMatch(new RegExp(`${idOf(owner)}.*revoked`));
  });
});

describe("checkpoints", () => {
  test("are sent by POST and compared by GET, and an outage is listed until they are sent", async () => {
    const posted: string[] = [];
    kept = () => posted;
    let isDown = false;
    const keeper = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      if (request.method === "POST" && !isDown) posted.push(body);
      response.writeHead(isDown ? 503 : 200).end(request.method === "GET" ? JSON.stringify(posted) : "");
    });
    await new Promise<void>((resolve) => keeper.listen(0, "127.0.0.1", resolve));
    settings["CHECKPOINT_TO"] = `http://127.0.0.1:${(keeper.address() as AddressInfo).port}/notes`;
    try {
      await rolledBack();
      expect(posted.some((note) => note.startsWith(`${NAME}/agents/demo\n4\n`))).toBe(true);
      await restore();
      await expect(start()).rejects.toMatchObject({ code: "ROLLED_BACK" });
      isDown = true;
      const url = await start({ accept: true });
      await expect.poll(async () => (await fetch(`${url}/readyz`)).text(), { timeout: 60_000 }).toContain("not sent");
    } finally {
      keeper.close();
      keeper.closeAllConnections();
    }
  });

  test("are sent to no URL that others can read on the way", () => {
    for (const place of ["http://example.com/", "ftp://127.0.0.1/", ""]) {
      settings["CHECKPOINT_TO"] = place;
      if (place !== "") expect(() => loadConfig(env())).toThrow(/checkpoint_to/);
    }
  });

  test("of the registry's chain record changes of keys, and a signer key signs its successor", async () => {
    const token = await issue("--agent", "demo");
    const url = await start();
    await send(url, token, "POST", "/agents", { agent_id: "demo", manifest: EMPTY });
    await run("keys", "rotate", idOf(token));
    await run("keys", "revoke", idOf(token));
    await stop();
    const file = join(folder, "second.key");
    expect((await run("signer", "rotate", file)).code).toBe(0);
    await expect(start()).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
    settings["SIGNER_KEY_FILE"] = file;
    await start();
    await stop();
    const chain = kept().find((note) => note.startsWith(`${NAME}/registry\n`));
    expect(chain).toContain(`${NAME}/registry\n6\n`);
    expect((await run("backup", join(folder, "copy.db"))).code).toBe(0);
    const { openTrailStore } = await import("@agentprint/trail-store");
    const trail = await openTrailStore(settings["DATABASE"] ?? "");
    const events: string[] = [];
    for await (const { content } of trail.read("registry")) events.push(JSON.parse(content).event);
    await trail.close();
    expect(events).toEqual(["key_issued", "key_issued", "key_rotated", "key_revoked", "key_used", "signer_rotated"]);
  });
});
