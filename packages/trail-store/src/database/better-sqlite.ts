// SQLite through better-sqlite3, which includes its own copy of SQLite; SQLite requires that everything in a process
// that opens a file uses the same copy.
import Database from "better-sqlite3";
import type { SqliteConnection, SqliteOptions, SqliteStatement } from "./sqlite-connection.ts";

/** Opens a connection. */
export function connectSqlite(path: string, options: SqliteOptions): SqliteConnection {
  const database = new Database(path, options);
  return {
    name: path,
    readonly: database.readonly,
    get inTransaction() {
      return database.inTransaction;
    },
    prepare: <Row>(text: string) => database.prepare(text) as unknown as SqliteStatement<Row>,
    exec: (text) => void database.exec(text),
    close: () => void database.close(),
  };
}
