import { openTrailStore, type TrailStore } from "@agentprint/trail-store";
import { openPool } from "@agentprint/trail-store/postgres";
import Database from "better-sqlite3";
import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import { compiledFor, type KeptQuery } from "./kept-query.ts";
import { keepStatements } from "./kept-statements.ts";
import type { RegistryTables } from "./schema.ts";
import { sqlitePath } from "./sqlite-path.ts";
import { openTurnReads } from "./turn-reads.ts";

const READ_CONNECTIONS = 8;
/** How long SQLite waits for another writer while it blocks the process: a command can wait, but a service cannot. */
const BUSY_TIMEOUT_MS = 2000;
const SERVICE_BUSY_TIMEOUT_MS = 20;

/** A registry's database: its own tables, and the trail of every change. */
export interface RegistryStore {
  readonly dialect: "sqlite" | "postgres";
  readonly url: string;
  /** The connection for reads, and for writes that are not part of the trail. */
  readonly db: Kysely<RegistryTables>;
  /**
   * Reads with a query that is compiled once, without the overhead of Kysely. The result must not be awaited inside a
   * transaction. On SQLite, the read sees the database as of the first such read in the same turn of the event loop.
   */
  readonly select: <Row>(query: KeptQuery<Row>, ...parameters: unknown[]) => Promise<readonly Row[]>;
  /** The connection that writes versions: a transaction contains both the registry's rows and the trail's record. */
  readonly trail: TrailStore;
  readonly close: () => Promise<void>;
}

/** Options for opening a database. */
export interface StoreLimits {
  /**
   * For a service: the time limit for a PostgreSQL statement, and for retrying a change while the database is busy. A
   * command that runs alone waits as long as necessary.
   */
  readonly statementTimeoutMs?: number;
}

/**
 * Opens the database at `url` (`file:registry.db` or `postgres://…`), and creates the trail's tables if they are
 * missing.
 *
 * @throws {@link TrailStoreError} when the database cannot be used.
 */
export async function openStore(url: string, { statementTimeoutMs }: StoreLimits = {}): Promise<RegistryStore> {
  const trail = await openTrailStore(url, {
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs, retryForMs: statementTimeoutMs }),
  });
  const path = sqlitePath(url);
  const dialect = path === undefined ? "postgres" : "sqlite";
  const busyMs = statementTimeoutMs === undefined ? BUSY_TIMEOUT_MS : SERVICE_BUSY_TIMEOUT_MS;
  const { db, select } = path === undefined ? connectPostgres(url, statementTimeoutMs) : connectSqlite(path, busyMs);
  const close = async (): Promise<void> => {
    await db.destroy();
    await trail.close();
  };
  return { dialect, url, db, select, trail, close };
}

type Connected = Pick<RegistryStore, "db" | "select">;

function connectPostgres(url: string, statementTimeoutMs: number | undefined): Connected {
  const pool = openPool(url, { max: READ_CONNECTIONS, application_name: "agentprint registry", statementTimeoutMs });
  const db = new Kysely<RegistryTables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    select: async <Row>(query: KeptQuery<Row>, ...parameters: unknown[]) =>
      (await db.executeQuery<Row>({ ...compiledFor(db, query), parameters })).rows,
  };
}

function connectSqlite(path: string, busyMs: number): Connected {
  const connection = new Database(path, { fileMustExist: true, timeout: busyMs });
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  const reads = openTurnReads(path, busyMs);
  const prepare = keepStatements(connection);
  const database = {
    prepare: (sql: string) => {
      const statement = prepare(sql);
      // The next read must see the rows that this process has just written.
      if (!statement.readonly || !statement.reader) reads.endTurn();
      return statement;
    },
    close: () => {
      reads.close();
      connection.close();
    },
  };
  const db = new Kysely<RegistryTables>({ dialect: new SqliteDialect({ database }) });
  return {
    db,
    select: async <Row>(query: KeptQuery<Row>, ...parameters: unknown[]) =>
      reads.all<Row>(compiledFor(db, query).sql, parameters),
  };
}
