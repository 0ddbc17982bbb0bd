// Node's own SQLite for the command, which then needs no package with native code.
import { existsSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { TrailStoreError } from "../errors.ts";
import type { SqliteConnection, SqliteOptions, SqliteStatement, SqliteValue } from "./sqlite-connection.ts";
import { IN_MEMORY } from "./sqlite-path.ts";

type Sqlite = typeof import("node:sqlite");

/**
 * Opens a connection.
 *
 * @throws {@link TrailStoreError} `unavailable` on a Node older than 22.16, whose SQLite lacks functions that a store
 * needs.
 */
export function connectSqlite(
  path: string,
  { readonly = false, fileMustExist, timeout }: SqliteOptions,
): SqliteConnection {
  const { DatabaseSync } = loadSqlite();
  if (fileMustExist && path !== IN_MEMORY && !path.startsWith("file:") && !existsSync(path)) {
    throw Object.assign(new Error("unable to open database file"), { code: "SQLITE_CANTOPEN" });
  }
  const database = new DatabaseSync(path, {
    readOnly: readonly,
    enableForeignKeyConstraints: false,
    ...(timeout !== undefined && { timeout }),
  });
  return {
    name: path,
    readonly,
    get inTransaction() {
      return database.isTransaction;
    },
    prepare: <Row>(text: string) => statementOf<Row>(database, text),
    exec: (text) => database.exec(text),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

let sqlite: Sqlite | undefined;

/** Loads SQLite without the warning that Node 22 prints, which would become part of the command's output. */
function loadSqlite(): Sqlite {
  if (sqlite !== undefined) return sqlite;
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    sqlite = process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
  if (sqlite?.StatementSync.prototype.setReturnArrays === undefined) {
    const message = `SQLite needs Node 22.16 or later, and this is Node ${process.versions.node}`;
    throw new TrailStoreError("unavailable", message);
  }
  return sqlite;
}

/**
 * Returns a statement whose rows are built from lists of values, because Node itself takes twice as long to build
 * objects.
 */
function statementOf<Row>(database: DatabaseSync, text: string): SqliteStatement<Row> {
  const statement = database.prepare(text);
  const names = statement.columns().map(({ name }) => name);
  statement.setReturnArrays(true);
  const toRow = (values: unknown): Row => {
    const row: Record<string, unknown> = {};
    for (const [index, name] of names.entries()) row[name] = (values as unknown[])[index];
    return row as Row;
  };
  const all = (...parameters: readonly SqliteValue[]): Row[] =>
    reading(statement, () => statement.all(...parameters) as unknown[]).map(toRow);
  return {
    reader: names.length > 0,
    get: (...parameters) => all(...parameters)[0],
    all: (parameters) => all(...parameters),
    iterate: function* (parameters) {
      yield* all(...parameters);
    },
    run: (parameters) => statement.run(...parameters),
  };
}

/** Runs `read`, and runs it again if a row has integers that a number cannot hold exactly, which are then rounded. */
function reading(statement: StatementSync, read: () => unknown[]): unknown[] {
  try {
    return read();
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_OUT_OF_RANGE") throw error;
    statement.setReadBigInts(true);
    try {
      return (read() as unknown[][]).map((values) =>
        values.map((value) => (typeof value === "bigint" ? Number(value) : value)),
      );
    } finally {
      statement.setReadBigInts(false);
    }
  }
}
