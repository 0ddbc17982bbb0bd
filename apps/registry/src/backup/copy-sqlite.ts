import { randomUUID } from "node:crypto";
import { closeSync, copyFileSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { RegistryError } from "../errors.ts";

/** The suffixes of the files that SQLite may keep next to a database. */
const BESIDE = ["", "-wal", "-shm", "-journal"];

/**
 * Copies a SQLite database in use with SQLite's online backup, lets `check` inspect the copy, and then renames it to
 * `file`.
 *
 * @throws {@link RegistryError} `BACKUP_FAILED` when there is no database, when `file` already exists or when it cannot
 * be written.
 */
export async function backupSqlite<T>(database: string, file: string, check: (copy: string) => Promise<T>): Promise<T> {
  if (!existsSync(database)) {
    throw new RegistryError(
      "BACKUP_FAILED",
      `there is no database ${database}: name it in AGENTPRINT_REGISTRY_DATABASE`,
    );
  }
  return placed(file, async (temporary) => {
    const source = new Database(database, { readonly: true, fileMustExist: true });
    try {
      await source.backup(temporary);
    } finally {
      source.close();
    }
    asOneFile(temporary);
    const checked = await check(temporary);
    asOneFile(temporary);
    return checked;
  });
}

/**
 * Creates a SQLite database from a backup; `prepare` checks it before it gets its final name.
 *
 * @throws {@link RegistryError} `BACKUP_FAILED` when a database already exists or there is no backup.
 */
export async function restoreSqlite<T>(
  file: string,
  database: string,
  prepare: (copy: string) => Promise<T>,
): Promise<T> {
  const old = BESIDE.map((suffix) => database + suffix).find((path) => existsSync(path));
  if (old !== undefined) throw new RegistryError("BACKUP_FAILED", `the file ${old} already exists: move it away first`);
  return placed(database, async (temporary) => {
    copyFileSync(file, temporary);
    const prepared = await prepare(temporary);
    asOneFile(temporary);
    return prepared;
  });
}

/** Fills a temporary file next to `file`, and once it is complete renames it to `file` unless that name is taken. */
async function placed<T>(file: string, fill: (temporary: string) => Promise<T>): Promise<T> {
  if (existsSync(file)) throw new RegistryError("BACKUP_FAILED", `the file ${file} already exists`);
  const temporary = `${file}.${randomUUID()}`;
  try {
    const filled = await fill(temporary);
    sync(temporary);
    linkSync(temporary, file);
    if (process.platform !== "win32") sync(dirname(file));
    return filled;
  } catch (cause) {
    if (cause instanceof RegistryError || !(cause instanceof Error)) throw cause;
    throw new RegistryError("BACKUP_FAILED", `cannot make ${file}: ${cause.message}`, { cause });
  } finally {
    for (const suffix of BESIDE) rmSync(temporary + suffix, { force: true });
  }
}

/** Moves the contents of the write-ahead log into the file. */
function asOneFile(path: string): void {
  const copy = new Database(path, { fileMustExist: true });
  copy.pragma("journal_mode = DELETE");
  copy.close();
}

function sync(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}
