import { TrailStoreError } from "../errors.ts";
import type { Classified } from "./backend.ts";

/** The names of the result codes that are distinguished here, by number (sqlite.org/rescode.html). */
const NAMES: Readonly<Record<number, string>> = {
  3: "SQLITE_PERM",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  23: "SQLITE_AUTH",
  26: "SQLITE_NOTADB",
  1544: "SQLITE_READONLY_DIRECTORY",
  1811: "SQLITE_CONSTRAINT_TRIGGER",
  4874: "SQLITE_IOERR_SHMSIZE",
};

/**
 * Returns the name of an SQLite error's result code, which Node's driver gives as a number; `undefined` for any other
 * error.
 */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: number };
  // The lowest byte of an extended code is its primary code.
  if (code === "ERR_SQLITE_ERROR")
    return NAMES[errcode ?? 0] ?? NAMES[(errcode ?? 0) & 0xff] ?? `SQLITE_ERROR_${errcode}`;
  return typeof code === "string" && code.startsWith("SQLITE_") ? code : undefined;
}

/** Returns whether `error` is an SQLite error with a matching code. */
export function isCode(error: unknown, code: RegExp): boolean {
  return code.test(codeOf(error) ?? "");
}

/** Classifies an SQLite error; returns `undefined` for any other error. */
export function classifySqlite(error: unknown): Classified | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const { message } = error as Error;
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
