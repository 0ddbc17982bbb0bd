import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PostgresServer } from "@agentprint/testing/postgres-server";
import { environmentOf } from "@agentprint/testing/registry-process";
import { killServices } from "@agentprint/testing/service-process";
import { makeSignerKey } from "@agentprint/trail-store";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { backupDatabase, restoreDatabase } from "../../src/backup/backup.ts";
import { loadConfig } from "../../src/config/config.ts";
import { backupRounds } from "../support/backup-rounds.ts";
import { HAS_POSTGRES, query, startInstalledPostgres } from "../support/installed-postgres.ts";
import { prepare } from "../support/storm.ts";

let folder = "";
let server: PostgresServer | undefined;
let signer_key_file = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "registry-backup-"));
  signer_key_file = join(folder, "signer.key");
  makeSignerKey(signer_key_file, loadConfig({}).name);
  if (HAS_POSTGRES) server = await startInstalledPostgres();
  else
    console.warn(
      "skipped: the backup of PostgreSQL, because initdb, pg_dump, pg_restore and postgres are not installed",
    );
});
afterEach(killServices);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

const databaseOf = (dialect: string, name: string): Promise<string> | string =>
  dialect === "PostgreSQL" ? createDatabase(name) : `file:${join(folder, `${name}.db`)}`;

function createDatabase(name: string): Promise<string> {
  if (server === undefined) throw new Error("PostgreSQL is not installed");
  return server.createDatabase(name);
}

test.each(HAS_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"])(
  "a backup of %s under load has all records that were acknowledged before it",
  async (dialect) => {
    const checkpoint_to = join(folder, `elsewhere-${dialect}`);
    const settings = { database: await databaseOf(dialect, "loaded"), signer_key_file, checkpoint_to };
    const token = await prepare(settings);
    const versions = await backupRounds(settings, token, folder, 2, async (round) =>
      databaseOf(dialect, `copy_${round}`),
    );
    expect(versions).toBeGreaterThan(10);
  },
);

test.runIf(HAS_POSTGRES)(
  "a backup of PostgreSQL is restored only into an empty database, and leaves no other database behind",
  async () => {
    const settings = { database: await createDatabase("complete"), signer_key_file };
    await prepare(settings);
    const config = loadConfig(environmentOf(settings));
    const file = join(folder, "full.dump");
    await backupDatabase(config, file);
    await expect(restoreDatabase(config, file, new Date())).rejects.toMatchObject({ code: "BACKUP_FAILED" });
    await expect(backupDatabase(config, file)).rejects.toMatchObject({ code: "BACKUP_FAILED" });
    const left = "select datname from pg_database where datname like 'agentprint_check_%'";
    expect(await query(settings.database, left)).toEqual([]);
  },
);
