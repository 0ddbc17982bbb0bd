import Database from "better-sqlite3";
import { TrailStoreError } from "../errors.ts";
import type { Classified } from "./backend.ts";

/** Whether `error` is one of SQLite with a code like this. */
export function isCode(error: unknown, code: RegExp): boolean {
  return error instanceof Database.SqliteError && code.test(error.code);
}

/** Classifies an error of SQLite; `undefined` for any other error. */
export function classifySqlite(error: unknown): Classified | undefined {
  if (!(error instanceof Database.SqliteError)) return undefined;
  const { code, message } = error;
  const classified = (name: TrailStoreError["code"], text: string, retry = false): Classified => ({
    error: new TrailStoreError(name, `${text} (${code}: ${message})`, { cause: error }),
    retry,
  });
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return classified("busy", "other writers kept the database busy", true);
  if (/^SQLITE_(FULL|IOERR_SHMSIZE)/.test(code))
    return classified("disk-full", "the disk is full; nothing was written");
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return classified("corrupt", "the database is damaged");
  if (code === "SQLITE_CONSTRAINT_TRIGGER") return classified("append-only", "the database refused the change");
  if (code === "SQLITE_READONLY_DIRECTORY") {
    const expected = "a folder that can be written, a copy of the file, or SQLITE_USE_URI=1 in the environment";
    return classified("unavailable", `SQLite reads this database only next to its own files: expected ${expected}`);
  }
  if (/^SQLITE_(CANTOPEN|IOERR|READONLY|PERM|AUTH)/.test(code)) {
    return classified("unavailable", "the database cannot be read or written");
  }
  return undefined;
}
