import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { checkStored, notPartitioned, TrailStoreError } from "../errors.ts";
import type { StoreProblem } from "../store-problem.ts";
import { AppendGroups } from "./append-groups.ts";
import type { Access, Backend, BulkInsert, Lookup, OpenTransaction, Plan, RecordKey } from "./backend.ts";
import { migrate } from "./migrations.ts";
import { watchOpenFiles } from "./open-files.ts";
import { retrying } from "./retry.ts";
import { keyOf, type StoredThought, THOUGHT_COLUMNS, type TrailDatabase } from "./schema.ts";
import { connectToRead, connectToWrite } from "./sqlite-connect.ts";
import { kyselyOn, type SqliteConnection, type SqliteStatement } from "./sqlite-connection.ts";
import { classifySqlite } from "./sqlite-errors.ts";
import { SqliteGroups } from "./sqlite-groups.ts";
import { compareGuards } from "./sqlite-guards.ts";
import { IN_MEMORY, resolveStorePath } from "./sqlite-path.ts";
import { cutsTexts, IN_CHAIN, IS_WHOLE, taskStartsWith, WHOLE_NOTE } from "./sqlite-rows.ts";
import { StructureChecks } from "./sqlite-structure.ts";

/**
 * Opens an SQLite database as a backend. A transaction runs in one turn of the event loop, so that none of this
 * process's other code runs between its statements.
 */
export async function openSqlite(name: string, access: Access, retryForMs: number): Promise<Backend> {
  const path = resolveStorePath(name);
  if (access === "create") {
    if (!existsSync(dirname(path))) {
      throw new TrailStoreError("unavailable", `the folder of ${name} does not exist`);
    }
  } else if (path === IN_MEMORY || !existsSync(path)) {
    throw new TrailStoreError("not-a-trail-store", `there is no trail store at ${name}`);
  }
  return retrying(classifySqlite, retryForMs, async () => {
    const connection = access === "create" ? await createStore(path) : openStore(path, name, access);
    try {
      return new SqliteBackend(path, connection, retryForMs);
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

async function createStore(path: string): Promise<SqliteConnection> {
  const connection = connectToWrite(path);
  try {
    // One process creates the tables; others that open the file meanwhile wait, and then find the tables.
    connection.exec("begin immediate");
    await migrate(kyselyOn(connection), "sqlite");
    connection.exec("commit");
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Opens a file for reading first, so that a file that is not a store is never changed. */
function openStore(path: string, name: string, access: Access): SqliteConnection {
  const reading = connectToRead(path, name);
  if (access === "read") return reading;
  reading.close();
  return connectToWrite(path, { fileMustExist: true });
}

/** A connection for the transactions of callers, which may wait between their statements. */
interface SecondConnection {
  readonly groups: SqliteGroups;
  readonly carryOut: (plan: Plan) => readonly StoredThought[];
  readonly close: () => Promise<void>;
}

const refusePartitions = async (): Promise<never> => {
  throw notPartitioned();
};

class SqliteBackend implements Backend {
  readonly db: Kysely<TrailDatabase>;
  readonly append: Backend["append"];
  readonly #path: string;
  readonly #connection: SqliteConnection;
  readonly #retryForMs: number;
  readonly #insert: SqliteStatement;
  readonly #byKey: SqliteStatement<StoredThought>;
  readonly #head: SqliteStatement<StoredThought>;
  readonly #begin: SqliteStatement;
  readonly #commit: SqliteStatement;
  readonly #structure: StructureChecks;
  readonly #checkFiles: () => void;
  #second: SecondConnection | undefined;
  readonly classify = classifySqlite;
  readonly inChain: RawBuilder<boolean>;
  readonly note: RawBuilder<string>;
  readonly taskStartsWith = taskStartsWith;
  readonly partitioned = false;

  constructor(path: string, connection: SqliteConnection, retryForMs: number) {
    const db = kyselyOn(connection);
    this.#path = path;
    this.#connection = connection;
    this.#retryForMs = retryForMs;
    this.#structure = new StructureChecks(connection);
    this.db = db;
    const row = Object.fromEntries(THOUGHT_COLUMNS.map((column) => [column, ""])) as unknown as StoredThought;
    const thoughts = db.selectFrom("thoughts").select(THOUGHT_COLUMNS);
    this.#insert = connection.prepare(db.insertInto("thoughts").values(row).compile().sql);
    const cuts = cutsTexts(connection);
    const whole = cuts ? thoughts.where(IS_WHOLE) : thoughts;
    this.inChain = cuts ? sql<boolean>`${IN_CHAIN} and ${IS_WHOLE}` : IN_CHAIN;
    this.note = cuts ? WHOLE_NOTE : sql.ref<string>("note");
    this.#byKey = connection.prepare(whole.where("id", "=", "").where("task_id", "=", "").compile().sql);
    const head = thoughts.where("task_id", "=", "").where(this.inChain).orderBy("position", "desc").compile().sql;
    this.#head = connection.prepare(`${head} limit 1`);
    this.#begin = connection.prepare("begin immediate");
    this.#commit = connection.prepare("commit");
    this.#checkFiles = path === IN_MEMORY || connection.readonly ? () => {} : watchOpenFiles(path);
    const appends = new AppendGroups({
      append: async (_scope, plan) => this.#transact(() => this.#carryOut(plan)),
      classify: classifySqlite,
      retryForMs,
      // Only one transaction writes at a time, whatever its tasks.
      lineOf: () => "",
    });
    this.append = (scope, plan) => appends.run(scope, plan);
  }

  async transact<T>(work: (transaction: OpenTransaction) => Promise<T>): Promise<T> {
    this.#second ??= this.#openSecond();
    const { groups, carryOut } = this.#second;
    return groups.run((db) => work({ db, append: async (_scope, plan) => carryOut(plan) }));
  }

  async bulk(fill: (bulk: BulkInsert) => Promise<void>): Promise<void> {
    // A transaction that waits for its input needs its own connection, and a database in memory has only one.
    if (this.#path === IN_MEMORY) await this.#bulkInMemory(fill);
    else await this.#bulkInFile(fill);
  }

  async checkStructure(): Promise<void> {
    await this.#structure.check();
  }

  async taskEnds(): Promise<undefined> {}

  readonly settleBefore = refusePartitions;
  readonly partitionsBefore = refusePartitions;
  readonly dropBefore = refusePartitions;
  readonly partition = refusePartitions;

  async compareGuards(): Promise<StoreProblem[]> {
    const reference = await createStore(IN_MEMORY);
    try {
      return compareGuards(this.#connection, reference);
    } finally {
      reference.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#second?.close(), this.#structure.close()]);
    await this.db.destroy();
    this.#connection.close();
  }

  /** @throws {@link TrailStoreError} `unavailable` when the file is no longer at its path. */
  commit(): void {
    this.#commit.run([]);
    this.#checkFiles();
  }

  #transact<T>(work: () => T): T {
    this.#begin.run([]);
    try {
      const result = work();
      this.commit();
      return result;
    } finally {
      if (this.#connection.inTransaction) this.#connection.exec("rollback");
    }
  }

  #carryOut(plan: Plan): readonly StoredThought[] {
    const lookup: Lookup = { byKey: (key) => this.#stored(key), head: (taskId) => this.#head.get(taskId) };
    const { added, all } = plan(lookup);
    this.#insertAll(added);
    return all;
  }

  /** @throws {@link TrailStoreError} `unavailable` for a database in memory, which has only one connection. */
  #openSecond(): SecondConnection {
    if (this.#path === IN_MEMORY) {
      throw new TrailStoreError("unavailable", "a database in memory has no separate connection for a transaction");
    }
    const connection = connectToWrite(this.#path, { readonly: this.#connection.readonly, fileMustExist: true });
    const own = new SqliteBackend(this.#path, connection, this.#retryForMs);
    const groups = new SqliteGroups(connection, own.db, {
      begin: () => retrying(classifySqlite, this.#retryForMs, async () => void connection.exec("begin immediate")),
      commit: () => own.commit(),
    });
    return { groups, carryOut: (plan) => own.#carryOut(plan), close: () => own.close() };
  }

  #insertAll(rows: readonly StoredThought[]): void {
    for (const row of rows)
      checkStored(Number(this.#insert.run(THOUGHT_COLUMNS.map((column) => row[column])).changes), 1);
  }

  #stored({ id, task_id }: RecordKey): StoredThought | undefined {
    return this.#byKey.get(id, task_id);
  }

  async #bulkInMemory(fill: (bulk: BulkInsert) => Promise<void>): Promise<void> {
    const rows = new Map<string, StoredThought>();
    const heads = new Map<string, StoredThought>();
    await fill({
      existing: async (keys) => keys.flatMap((key) => rows.get(keyOf(key)) ?? this.#stored(key) ?? []),
      head: async (taskId) => heads.get(taskId) ?? this.#head.get(taskId),
      insert: async (more) => {
        for (const row of more) {
          rows.set(keyOf(row), row);
          heads.set(row.task_id, row);
        }
      },
    });
    this.#transact(() => this.#insertAll([...rows.values()]));
  }

  async #bulkInFile(fill: (bulk: BulkInsert) => Promise<void>): Promise<void> {
    const { readonly } = this.#connection;
    const connection = connectToWrite(this.#path, { readonly, fileMustExist: true });
    try {
      const own = new SqliteBackend(this.#path, connection, this.#retryForMs);
      // Hashes go to random places in their index, so with a small cache its pages would be read again for every row.
      connection.exec("pragma cache_size = -65536");
      await retrying(classifySqlite, this.#retryForMs, async () => connection.exec("begin immediate"));
      await fill({
        existing: async (keys) => keys.flatMap((key) => own.#stored(key) ?? []),
        head: async (taskId) => own.#head.get(taskId),
        insert: async (rows) => own.#insertAll(rows),
      });
      own.commit();
    } finally {
      // This rolls back a transaction that was not committed.
      connection.close();
    }
  }
}
