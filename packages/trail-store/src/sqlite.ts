import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import type { AppendScope, Backend, BulkInsert, Classified, Lookup, Plan } from "./backend.ts";
import { TrailStoreError } from "./errors.ts";
import { migrate } from "./migrations.ts";
import { retrying } from "./retry.ts";
import { type StoredThought, THOUGHT_COLUMNS, type TrailDatabase } from "./schema.ts";

const IN_MEMORY = ":memory:";
// How long SQLite itself waits for another writer, which blocks this process; after that, we wait.
const BUSY_TIMEOUT_MS = 20;

/**
 * A SQLite database as a backend. A transaction runs without a pause in one turn of the event loop, so that nothing
 * else in this process can see or disturb it.
 */
export async function openSqlite(path: string, create: boolean, retryForMs: number): Promise<Backend> {
  if (!create && (path === IN_MEMORY || !existsSync(path))) {
    throw new TrailStoreError("not-a-trail-store", `there is no trail store at ${path}`);
  }
  return retrying(classifySqlite, retryForMs, async () => {
    const { connection, db } = connect(path);
    try {
      if (create) {
        // One process at a time makes the tables; the others find them.
        connection.exec("begin immediate");
        await migrate(db, "sqlite");
        connection.exec("commit");
      } else checkTables(connection, path);
      return new SqliteBackend(path, connection, db);
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

function connect(path: string): { connection: Database.Database; db: Kysely<TrailDatabase> } {
  const connection = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    connection.pragma("journal_mode = WAL");
    // An acknowledged record survives a power cut.
    connection.pragma("synchronous = FULL");
    // In KiB: reading a chain once gains nothing from more.
    connection.pragma("cache_size = -4096");
  } catch (error) {
    connection.close();
    throw error;
  }
  const statements = new Map<string, Database.Statement>();
  const prepare = (text: string): Database.Statement => {
    let statement = statements.get(text);
    if (!statement) {
      statement = connection.prepare(text);
      if (statements.size < 100) statements.set(text, statement);
    }
    return statement;
  };
  const database = { prepare, close: () => {} };
  return { connection, db: new Kysely<TrailDatabase>({ dialect: new SqliteDialect({ database }) }) };
}

function checkTables(connection: Database.Database, path: string): void {
  const names = connection.prepare("select name from sqlite_schema where type = 'table'").pluck().all();
  if (!names.includes("thoughts") || !names.includes("checkpoints")) {
    throw new TrailStoreError("not-a-trail-store", `${path} is a database without trails`);
  }
}

class SqliteBackend implements Backend {
  readonly db: Kysely<TrailDatabase>;
  readonly #path: string;
  readonly #connection: Database.Database;
  readonly #insert: Database.Statement;
  readonly #byId: Database.Statement<[string], StoredThought>;
  readonly #head: Database.Statement<[string], StoredThought>;
  readonly #transact: Database.Transaction<(work: () => unknown) => unknown>;
  readonly classify = classifySqlite;

  constructor(path: string, connection: Database.Database, db: Kysely<TrailDatabase>) {
    this.#path = path;
    this.#connection = connection;
    this.db = db;
    const row = Object.fromEntries(THOUGHT_COLUMNS.map((column) => [column, ""])) as unknown as StoredThought;
    const thoughts = db.selectFrom("thoughts").select(THOUGHT_COLUMNS);
    this.#insert = connection.prepare(db.insertInto("thoughts").values(row).compile().sql);
    this.#byId = connection.prepare(thoughts.where("id", "=", "").compile().sql);
    const head = thoughts.where("task_id", "=", "").orderBy("position", "desc").compile().sql;
    this.#head = connection.prepare(`${head} limit 1`);
    this.#transact = connection.transaction((work) => work());
  }

  async append(_scope: AppendScope, plan: Plan): Promise<readonly StoredThought[]> {
    const lookup: Lookup = { byId: (id) => this.#byId.get(id), head: (taskId) => this.#head.get(taskId) };
    let stored: readonly StoredThought[] = [];
    this.#transact.immediate(() => {
      const { added, all } = plan(lookup);
      this.#insertAll(added);
      stored = all;
    });
    return stored;
  }

  async bulk(fill: (bulk: BulkInsert) => Promise<void>): Promise<void> {
    // A transaction that waits for its input needs a connection of its own; in memory there is only one.
    if (this.#path === IN_MEMORY) await this.#bulkInMemory(fill);
    else await this.#bulkInFile(fill);
  }

  async checkStructure(): Promise<void> {
    const found = this.#connection.pragma("integrity_check(1)", { simple: true });
    if (found !== "ok") throw new TrailStoreError("corrupt", `the database is damaged: ${String(found)}`);
  }

  async close(): Promise<void> {
    await this.db.destroy();
    this.#connection.close();
  }

  #insertAll(rows: readonly StoredThought[]): void {
    for (const row of rows) this.#insert.run(THOUGHT_COLUMNS.map((column) => row[column]));
  }

  #existing(ids: readonly string[]): ReadonlyMap<string, string> {
    return new Map(ids.flatMap((id) => this.#byId.get(id) ?? []).map(({ id, hash }) => [id, hash]));
  }

  async #bulkInMemory(fill: (bulk: BulkInsert) => Promise<void>): Promise<void> {
    const rows: StoredThought[] = [];
    const heads = new Map<string, StoredThought>();
    await fill({
      existing: async (ids) => this.#existing(ids),
      head: async (taskId) => heads.get(taskId) ?? this.#head.get(taskId),
      insert: async (more) => {
        rows.push(...more);
        for (const row of more) heads.set(row.task_id, row);
      },
    });
    this.#transact.immediate(() => this.#insertAll(rows));
  }

  async #bulkInFile(fill: (bulk: BulkInsert) => Promise<void>): Promise<void> {
    const { connection, db } = connect(this.#path);
    try {
      const own = new SqliteBackend(this.#path, connection, db);
      // The index of hashes is written all over; in a small cache it would be read again for every row.
      connection.pragma("cache_size = -65536");
      await retrying(classifySqlite, 30_000, async () => connection.exec("begin immediate"));
      await fill({
        existing: async (ids) => own.#existing(ids),
        head: async (taskId) => own.#head.get(taskId),
        insert: async (rows) => own.#insertAll(rows),
      });
      connection.exec("commit");
    } finally {
      // Rolls back what was not committed.
      connection.close();
    }
  }
}

function classifySqlite(error: unknown): Classified | undefined {
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
  if (/^SQLITE_(CANTOPEN|IOERR|READONLY|PERM|AUTH)/.test(code)) {
    return classified("unavailable", "the database cannot be read or written");
  }
  return undefined;
}
