import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { environmentOf, startProcess } from "@agentprint/testing/registry-process";
import { backupDatabase, restoreDatabase } from "../../src/backup/backup.ts";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { checkWhole, publish, type Settings } from "./storm.ts";

const WRITERS = 4;

/** Returns the URL of an empty place for a restored database. */
export type NewDatabase = (round: number) => Promise<string>;

/**
 * Backs a database up `rounds` times during writes, restores each copy, and checks that it has every version
 * acknowledged before the backup began, that its trail is intact, and that it starts only as an accepted rollback.
 * Returns the number of versions at the end.
 */
export async function backupRounds(
  settings: Settings & { readonly checkpoint_to: string },
  token: string,
  folder: string,
  rounds: number,
  newDatabase: NewDatabase,
): Promise<number> {
  const fast = { ...settings, checkpoint_interval_seconds: "1" };
  const registry = await startProcess(fast);
  const acknowledged: number[] = [];
  let patch = 0;
  let isDone = false;
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!isDone) {
      const version = await publish(registry.url, token, patch++);
      if (version !== undefined) acknowledged.push(version);
    }
  });
  try {
    for (let round = 0; round < rounds; round++) {
      // Some changes precede each backup.
      const least = acknowledged.length + 5;
      while (acknowledged.length < least) await new Promise((resolve) => setImmediate(resolve));
      const before = [...acknowledged];
      const file = join(folder, `copy-${round}`);
      await backupDatabase(configOf(settings), file);
      await tryRestored({ ...settings, database: await newDatabase(round) }, file, before);
      rmSync(file);
    }
  } finally {
    isDone = true;
    await Promise.all(writers);
    assert.equal(await registry.end(), 0);
  }
  return checkWhole(settings.database, acknowledged);
}

async function tryRestored(settings: Settings, file: string, acknowledged: readonly number[]): Promise<void> {
  await restoreDatabase(configOf(settings), file, new Date());
  assert.ok((await checkWhole(settings.database, [])) >= Math.max(...acknowledged), "an acknowledged version is lost");
  // Without `checkpoint_to`, the database's age is unknown.
  const { checkpoint_to: _, ...alone } = settings as Settings & { checkpoint_to?: string };
  await assert.rejects(startProcess(alone), /ended with 2/);
  const path = settings.database.replace(/^file:/, "");
  for (const suffix of ["", "-wal", "-shm"]) if (existsSync(path + suffix)) rmSync(path + suffix);
}

function configOf(settings: Settings): Config {
  const { AGENTPRINT_REGISTRY_CONFIG: _, ...env } = environmentOf(settings);
  return loadConfig(env);
}
