import { Kysely, SqliteDialect } from "kysely";
import type { TrailDatabase } from "./schema.ts";

/** A value for a parameter of a statement. */
export type SqliteValue = string | number | bigint | Uint8Array | null;

/** A prepared statement. */
export interface SqliteStatement<Row = unknown> {
  /** Whether it returns rows. */
  readonly reader: boolean;
  readonly get: (...parameters: readonly SqliteValue[]) => Row | undefined;
  readonly all: (parameters: readonly SqliteValue[]) => Row[];
  readonly iterate: (parameters: readonly SqliteValue[]) => IterableIterator<Row>;
  readonly run: (parameters: readonly SqliteValue[]) => { changes: number | bigint; lastInsertRowid: number | bigint };
}

/** A connection to an SQLite file, or to a database in memory. */
export interface SqliteConnection {
  /** The path or name with which it was opened. */
  readonly name: string;
  readonly readonly: boolean;
  readonly inTransaction: boolean;
  readonly prepare: <Row = unknown>(text: string) => SqliteStatement<Row>;
  readonly exec: (text: string) => void;
  readonly close: () => void;
}

/** The options for opening a connection. */
export interface SqliteOptions {
  readonly readonly?: boolean;
  /** Whether a missing file is an error. Default: it is created. */
  readonly fileMustExist?: boolean;
  /** How long a statement waits for the locks of others, in milliseconds. */
  readonly timeout?: number;
}

/** Returns the value of a pragma, which is the first column of its first row. */
export function pragma(connection: SqliteConnection, text: string): unknown {
  const [row = {}] = connection.prepare<object>(`pragma ${text}`).all([]);
  return Object.values(row)[0];
}

/** Runs queries on a connection; the first hundred different queries are prepared only once. */
export function kyselyOn(connection: SqliteConnection): Kysely<TrailDatabase> {
  const statements = new Map<string, SqliteStatement>();
  const prepare = (text: string): SqliteStatement => {
    let statement = statements.get(text);
    if (!statement) {
      statement = connection.prepare(text);
      if (statements.size < 100) statements.set(text, statement);
    }
    return statement;
  };
  return new Kysely<TrailDatabase>({ dialect: new SqliteDialect({ database: { prepare, close: () => {} } }) });
}
