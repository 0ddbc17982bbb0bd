import { fileURLToPath } from "node:url";
import { openTrailStore, type TrailStore } from "@agentprint/trail-store";
import Database from "better-sqlite3";
import { Kysely, PostgresDialect, type SqliteDatabase, SqliteDialect } from "kysely";
import { LRUCache } from "lru-cache";
import pg from "pg";
import type { RegistryTables } from "./schema.ts";

const INT8 = 20;
const READ_CONNECTIONS = 8;
const BUSY_TIMEOUT_MS = 2000;
/** SQL texts whose statements are kept; those of inserts differ by the number of rows. */
const MAX_STATEMENTS = 200;

/** The database of a registry: its own tables, and the trail of every change beside them. */
export interface RegistryStore {
  readonly dialect: "sqlite" | "postgres";
  readonly url: string;
  /** For reads, and for writes that are no part of the trail. */
  readonly db: Kysely<RegistryTables>;
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
  const db = dialect === "postgres" ? connectPostgres(url) : connectSqlite(url);
  const close = async (): Promise<void> => {
    await db.destroy();
    await trail.close();
  };
  return { dialect, url, db, trail, close };
}

function connectPostgres(connectionString: string): Kysely<RegistryTables> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const pool = new pg.Pool({ connectionString, types, max: READ_CONNECTIONS, application_name: "agentprint registry" });
  // A broken connection is replaced, and its query fails. Without listeners its error event would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

function connectSqlite(url: string): Kysely<RegistryTables> {
  const path = url.startsWith("file://") ? fileURLToPath(url) : url.replace(/^(?:file|sqlite):/, "");
  const connection = new Database(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  return new Kysely({ dialect: new SqliteDialect({ database: withKeptStatements(connection) }) });
}

/** A connection that prepares each SQL text once: preparing takes longer than most of the queries. */
function withKeptStatements(connection: Database.Database): SqliteDatabase {
  const kept = new LRUCache<string, Database.Statement>({ max: MAX_STATEMENTS });
  return {
    prepare: (sql) => {
      const statement = kept.get(sql) ?? connection.prepare(sql);
      kept.set(sql, statement);
      return statement;
    },
    close: () => void connection.close(),
  };
}
