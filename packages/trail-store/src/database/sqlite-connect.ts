import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { connectSqlite } from "#sqlite";
import { TrailStoreError } from "../errors.ts";
import type { SqliteConnection, SqliteOptions } from "./sqlite-connection.ts";
import { isCode } from "./sqlite-errors.ts";

// While SQLite itself waits for another writer, this process is blocked; `retrying` waits for the rest of the time
// without blocking it.
const BUSY_TIMEOUT_MS = 20;

/** Opens a file only for reading, and refuses a file that is not a store. */
export function connectToRead(path: string, name: string): SqliteConnection {
  const open = (place: string): SqliteConnection =>
    connect(place, { readonly: true, fileMustExist: true }, (connection) => checkTables(connection, name));
  try {
    return open(path);
  } catch (error) {
    if (!isCode(error, /^SQLITE_(READONLY_DIRECTORY|CANTOPEN)/) || hasPendingLog(path)) throw error;
    try {
      // The folder is read-only. No other process has the file open, because there is no log next to it.
      return open(`${pathToFileURL(path)}?immutable=1`);
    } catch (second) {
      throw isCode(second, /^SQLITE_CANTOPEN/) ? error : second;
    }
  }
}

/** Returns whether a log next to the file holds changes that are not yet in the file. */
function hasPendingLog(path: string): boolean {
  return ["-wal", "-journal"].some((log) => (statSync(path + log, { throwIfNoEntry: false })?.size ?? 0) > 0);
}

/** Opens a file, so that what is committed survives a power cut. */
export function connectToWrite(path: string, options?: SqliteOptions): SqliteConnection {
  return connect(path, options, (connection) => {
    connection.exec("pragma journal_mode = WAL; pragma synchronous = FULL");
  });
}

function connect(
  path: string,
  options: SqliteOptions | undefined,
  prepare: (connection: SqliteConnection) => void,
): SqliteConnection {
  const connection = connectSqlite(path, { ...options, timeout: BUSY_TIMEOUT_MS });
  try {
    prepare(connection);
    // A negative number means KiB. A larger cache does not speed up reading a chain once.
    connection.exec("pragma cache_size = -4096");
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function checkTables(connection: SqliteConnection, name: string): void {
  const tables = connection.prepare<{ name: string }>("select name from sqlite_schema where type = 'table'").all([]);
  const names = tables.map(({ name: table }) => table);
  if (!names.includes("thoughts") || !names.includes("checkpoints")) {
    throw new TrailStoreError("not-a-trail-store", `${name} is a database without trails`);
  }
}
