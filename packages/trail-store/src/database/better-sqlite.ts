// SQLite through better-sqlite3, which includes its own copy: everything that opens a file in a process must use one
// copy, as SQLite requires.
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
