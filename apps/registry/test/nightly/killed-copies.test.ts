import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { PostgresServer } from "@agentprint/testing/postgres-server";
import { startProgram } from "@agentprint/testing/programs";
import { environmentOf, startProcess } from "@agentprint/testing/registry-process";
import { FROM_SOURCE, killServices } from "@agentprint/testing/service-process";
import { makeSignerKey } from "@agentprint/trail-store";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { backupDatabase, restoreDatabase } from "../../src/backup/backup.ts";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { HAS_POSTGRES, query, startInstalledPostgres } from "../support/installed-postgres.ts";
import { seed } from "../support/seed.ts";
import { checkWhole, publish, type Settings } from "../support/storm.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const VERSIONS = 500;
const ROUNDS = Number(process.env["KILLED_COPIES"] ?? 2);

let folder = "";
let server: PostgresServer | undefined;
let signer_key_file = "";
let databases = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "registry-killed-"));
  signer_key_file = join(folder, "signer.key");
  makeSignerKey(signer_key_file, loadConfig({}).name);
  if (HAS_POSTGRES) server = await startInstalledPostgres();
});
afterEach(killServices);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

async function newSettings(dialect: string): Promise<Settings> {
  const name = `killed_${databases++}`;
  if (dialect === "SQLite") return { database: `file:${join(folder, `${name}.db`)}`, signer_key_file };
  if (server === undefined) throw new Error("PostgreSQL is not installed");
  return { database: await server.createDatabase(name), signer_key_file };
}

function configOf(settings: Settings): Config {
  const { AGENTPRINT_REGISTRY_CONFIG: _, ...env } = environmentOf(settings);
  return loadConfig(env);
}

/** A running command, and whether it has begun to write. */
interface Command {
  readonly settings: Settings;
  readonly words: readonly [name: "backup" | "restore", file: string];
  readonly hasBegun: () => boolean | Promise<boolean>;
}

const backupOf = (settings: Settings, file: string): Command => ({
  settings,
  words: ["backup", file],
  hasBegun: () => isBegun(file),
});

const restoreOf = (settings: Settings, file: string): Command => ({
  settings,
  words: ["restore", file],
  hasBegun: settings.database.startsWith("file:")
    ? () => isBegun(settings.database.slice("file:".length))
    : async () => (await query(settings.database, "select 1 from pg_tables where schemaname = 'public'")).length > 0,
});

/** Returns whether there is a file whose name begins with `file`'s name, which a command writes first. */
function isBegun(file: string): boolean {
  return readdirSync(dirname(file)).some((name) => name.startsWith(`${basename(file)}.`));
}

/**
 * Runs a command and kills it `killMs` after it began to write; returns how long it wrote and whether it was killed.
 */
async function run(
  { settings, words, hasBegun }: Command,
  killMs = Number.POSITIVE_INFINITY,
): Promise<{ ms: number; wasKilled: boolean }> {
  const env = environmentOf({ ...settings, log_level: "silent" });
  const child = await startProgram(process.execPath, [...FROM_SOURCE, MAIN, ...words], { env, stdio: "ignore" });
  const exited = once(child, "exit");
  while (child.exitCode === null && !(await hasBegun())) await setImmediate();
  const begun = performance.now();
  while (child.exitCode === null && performance.now() - begun < killMs) await setImmediate();
  child.kill("SIGKILL");
  const [, signal] = await exited;
  return { ms: performance.now() - begun, wasKilled: signal === "SIGKILL" };
}

/** Returns the moments at which a command is killed, spread over the time that it writes. */
const momentsOf = ({ ms }: { readonly ms: number }): number[] =>
  Array.from({ length: ROUNDS }, (_, round) => (ms * round) / ROUNDS);

describe.each(HAS_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"])("kill -9 in the middle, on %s", (dialect) => {
  let source: Settings;
  let token = "";
  let copy = "";
  beforeAll(async () => {
    source = await newSettings(dialect);
    token = await seed(source.database, "demo", VERSIONS);
    copy = join(folder, `${dialect}.copy`);
    await backupDatabase(configOf(source), copy);
  });

  test("a backup is complete or absent, and the database continues", async () => {
    const whole = await run(backupOf(source, join(folder, `${dialect}-timed.copy`)));
    const running = await startProcess(source);
    let versions = VERSIONS;
    let killed = 0;
    for (const [round, moment] of momentsOf(whole).entries()) {
      const file = join(folder, `${dialect}-${round}.copy`);
      if ((await run(backupOf(source, file), moment)).wasKilled) killed++;
      if (existsSync(file)) {
        const restored = await newSettings(dialect);
        await restoreDatabase(configOf(restored), file, new Date());
        expect(await checkWhole(restored.database, [])).toBe(versions);
      }
      expect(await publish(running.url, token, round)).toBe(++versions);
      await backupDatabase(configOf(source), join(folder, `${dialect}-again-${round}.copy`));
    }
    expect(killed).toBeGreaterThan(0);
    expect(await running.end()).toBe(0);
    expect(await checkWhole(source.database, [])).toBe(versions);
  });

  test("a restored database is intact or does not start, and none starts unaccepted", async () => {
    const whole = await run(restoreOf(await newSettings(dialect), copy));
    let killed = 0;
    for (const moment of momentsOf(whole)) {
      const settings = await newSettings(dialect);
      const { wasKilled } = await run(restoreOf(settings, copy), moment);
      if (wasKilled) killed++;
      const path = settings.database.replace(/^file:/, "");
      const isThere = dialect === "PostgreSQL" || existsSync(path);
      if (isThere) await expect(startProcess(settings)).rejects.toThrow(/ended with 2/);
      const restores = restoreDatabase(configOf(settings), copy, new Date());
      if (isThere) await expect(restores).rejects.toMatchObject({ code: "BACKUP_FAILED" });
      else await restores;
      if (dialect === "SQLite" || !wasKilled) expect(await checkWhole(settings.database, [])).toBe(VERSIONS);
    }
    expect(killed).toBeGreaterThan(0);
  });

  test("an existing database is not changed", async () => {
    const settings = await newSettings(dialect);
    await seed(settings.database, "demo", 3);
    const whole = await run(restoreOf(await newSettings(dialect), copy));
    for (const moment of momentsOf(whole)) {
      await run(restoreOf(settings, copy), moment);
      expect(await checkWhole(settings.database, [])).toBe(3);
    }
    const registry = await startProcess(settings);
    expect((await fetch(`${registry.url}/agents/demo`)).status).toBe(200);
    expect(await registry.end()).toBe(0);
  });
});

test("the leftover file of a killed command has another name", () => {
  const left = readdirSync(folder).filter((name) => /^(?:SQLite|PostgreSQL)-\d+\.copy/.test(name));
  for (const name of left) expect(name).toMatch(/\.copy(?:\.[0-9a-f-]{36}(?:-wal|-shm|-journal)?)?$/);
});
