import { existsSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { loadSigning } from "../config/signer-key.ts";
import { openElsewhere } from "../elsewhere/elsewhere.ts";
import { type KeptHead, readKept } from "../elsewhere/kept-notes.ts";
import { RegistryError } from "../errors.ts";
import { findLost } from "../rollback/find-lost.ts";
import { prepareTables } from "../serve.ts";
import { listSuccessions } from "../signer/rotate-signer.ts";
import { migrate } from "../store/migrations.ts";
import { openStore } from "../store/open-store.ts";
import { sqlitePath } from "../store/sqlite-path.ts";
import { hasCheckpoints } from "../trail/checkpoints.ts";
import { type CheckedDatabase, checkDatabase } from "./check-database.ts";
import { backupPostgres, restorePostgres } from "./copy-postgres.ts";
import { backupSqlite, restoreSqlite } from "./copy-sqlite.ts";

/** The number of chains and the number of records in a backup. */
export type BackupReport = CheckedDatabase;

/**
 * Copies a registry's database, which may be in use, and checks that every chain of the copy is intact and that it has
 * every record covered by the checkpoints kept elsewhere.
 *
 * @throws {@link RegistryError} `BACKUP_FAILED`; no file is left in this case.
 */
export async function backupDatabase(config: Config, file: string): Promise<BackupReport> {
  const signing = loadSigning(config);
  const heads = await keptHeads(config);
  const check = (copy: string): Promise<BackupReport> => checkDatabase(copy, { signing, heads });
  const path = sqlitePath(config.database);
  return path === undefined
    ? backupPostgres(config.database, file, check)
    : backupSqlite(path, file, (copy) => check(`file:${copy}`));
}

/**
 * Creates a registry's database from a backup, and checks it. The registry compares the database with the checkpoints
 * kept elsewhere when it starts.
 *
 * @throws {@link RegistryError} `BACKUP_FAILED`.
 */
export async function restoreDatabase(config: Config, file: string, now: Date): Promise<BackupReport> {
  const path = sqlitePath(config.database);
  checkSignerKey(config, path);
  const signing = loadSigning(config);
  const prepare = async (copy: string): Promise<BackupReport> => {
    await markRestored(copy, now);
    return checkDatabase(copy, { signing, heads: [] });
  };
  return path === undefined
    ? restorePostgres(file, config.database, prepare)
    : restoreSqlite(file, path, (copy) => prepare(`file:${copy}`));
}

/**
 * Checks that there is a signer key. The key is not part of a backup, and a new key would not match the restored
 * checkpoints.
 *
 * @throws {@link RegistryError} `BACKUP_FAILED` when there is no key.
 */
function checkSignerKey({ signer_key_file: file }: Config, path: string | undefined): void {
  const key = file ?? (path === undefined ? undefined : `${path}.signer-key`);
  if (key === undefined || existsSync(key)) return;
  const message = `there is no signer key at ${key}: first copy the key of the registry that was backed up (<database>.signer-key) to that place`;
  throw new RegistryError("BACKUP_FAILED", message);
}

/**
 * Returns the checkpoints that were kept elsewhere before the copy begins: the copy must contain them, except those
 * whose loss was accepted.
 */
async function keptHeads(config: Config): Promise<readonly KeptHead[]> {
  if (config.checkpoint_to === undefined) return [];
  const store = await openStore(config.database);
  try {
    await prepareTables(store);
    const { db } = store;
    // There can be no checkpoint elsewhere before the first one is signed.
    const notes = (await hasCheckpoints(db)) ? await readNotes(config.checkpoint_to) : [];
    const { heads } = readKept(notes, loadSigning(config), await listSuccessions(db));
    const [lost] = await findLost(db, heads);
    if (lost) throw new RegistryError("BACKUP_FAILED", `the database is older than the checkpoint of ${lost.origin}`);
    const accepted = await db.selectFrom("lost_heads").select("note").execute();
    return heads.filter((head) => !accepted.some(({ note }) => note === head.note));
  } finally {
    await store.close();
  }
}

async function readNotes(checkpointTo: string): Promise<readonly string[]> {
  try {
    return await openElsewhere(checkpointTo).read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "no reason given";
    throw new RegistryError("BACKUP_FAILED", `the checkpoints kept elsewhere cannot be read: ${reason}`, { cause });
  }
}

async function markRestored(url: string, now: Date): Promise<void> {
  const store = await openStore(url);
  try {
    await migrate(store.db);
    await store.db.insertInto("restorations").values({ restored_at: now.toISOString() }).execute();
  } finally {
    await store.close();
  }
}
