import { fileURLToPath } from "node:url";
import { openTrailStore, type TrailStore } from "@agentprint/trail-store";
import Database from "better-sqlite3";
import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import pg from "pg";
import { compiledFor, type KeptQuery } from "./kept-query.ts";
import { keepStatements } from "./kept-statements.ts";
import type { RegistryTables } from "./schema.ts";
import { openTurnReads } from "./turn-reads.ts";

const INT8 = 20;
const READ_CONNECTIONS = 8;
const BUSY_TIMEOUT_MS = 2000;

/** The database of a registry: its own tables, and the trail of every change beside them. */
export interface RegistryStore {
  readonly dialect: "sqlite" | "postgres";
  readonly url: string;
  /** For reads, and for writes that are no part of the trail. */
  readonly db: Kysely<RegistryTables>;
  /**
   * Reads with a query that is compiled once, without what Kysely does around each. It must not wait inside a transaction. On
   * SQLite it sees the database as it was at the first such read of the turn of the event loop.
   */
  readonly select: <Row>(query: KeptQuery<Row>, ...parameters: unknown[]) => Promise<readonly Row[]>;
  /** Writes versions: its transactions hold the rows of the registry and the record of the trail. */
  readonly trail: TrailStore;
  readonly close: () => Promise<void>;
}

/**
 * Opens the database at `url`, `file:registry.db` or `postgres://…`, and creates the tables of the trail if there are none.
 *
 * @throws {@link TrailStoreError} when the database cannot be used.
 */
export async function openStore(url: string): Promise<RegistryStore> {
  const trail = await openTrailStore(url);
  const dialect = /^postgres(ql)?:\/\//.test(url) ? "postgres" : "sqlite";
  const { db, select } = dialect === "postgres" ? connectPostgres(url) : connectSqlite(url);
  const close = async (): Promise<void> => {
    await db.destroy();
    await trail.close();
  };
  return { dialect, url, db, select, trail, close };
}

type Connected = Pick<RegistryStore, "db" | "select">;

function connectPostgres(connectionString: string): Connected {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const pool = new pg.Pool({ connectionString, types, max: READ_CONNECTIONS, application_name: "agentprint registry" });
  // A broken connection is replaced, and its query fails. Without listeners its error event would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const db = new Kysely<RegistryTables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    select: async <Row>(query: KeptQuery<Row>, ...parameters: unknown[]) =>
      (await db.executeQuery<Row>({ ...compiledFor(db, query), parameters })).rows,
  };
}

function connectSqlite(url: string): Connected {
  const path = url.startsWith("file://") ? fileURLToPath(url) : url.replace(/^(?:file|sqlite):/, "");
  const connection = new Database(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  const reads = openTurnReads(path, BUSY_TIMEOUT_MS);
  const prepare = keepStatements(connection);
  const database = {
    prepare: (sql: string) => {
      const statement = prepare(sql);
      // What this process wrote is seen by the next read.
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
