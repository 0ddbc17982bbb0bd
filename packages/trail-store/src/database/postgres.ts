import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from "kysely";
import pg from "pg";
import { notPartitioned, TrailStoreError } from "../errors.ts";
import type { Partition, Time, TrailStoreOptions } from "../store-options.ts";
import type { StoreProblem } from "../store-problem.ts";
import { AppendGroups } from "./append-groups.ts";
import type {
  Access,
  AppendScope,
  Backend,
  BulkInsert,
  DroppedEnd,
  OpenTransaction,
  Plan,
  TaskEnds,
} from "./backend.ts";
import { migrate } from "./migrations.ts";
import { checkPast, countPartitions, dropPartitions, lockRecords } from "./postgres-drop.ts";
import { classifyPostgres, hasState } from "./postgres-errors.ts";
import { compareGuards } from "./postgres-guards.ts";
import { openPool } from "./postgres-pool.ts";
import { isPartitioned, repartition } from "./postgres-repartition.ts";
import { IN_CHAIN, PostgresRows } from "./postgres-rows.ts";
import { retrying } from "./retry.ts";
import { keyOf, type StoredThought, type TrailDatabase } from "./schema.ts";

const MAX_CACHED_HEADS = 10_000;

/**
 * Opens a PostgreSQL database as a backend. A single statement appends after the head that this process saw last. If
 * another writer was faster, a constraint refuses the statement, and the append is planned again under an advisory lock
 * on its tasks.
 */
export async function openPostgres(
  url: string,
  access: Access,
  retryForMs: number,
  { statementTimeoutMs, partitioned }: Pick<TrailStoreOptions, "statementTimeoutMs" | "partitioned">,
): Promise<Backend> {
  checkUrl(url);
  const pool = openPool(url, { max: 4, application_name: "agentprint trail", statementTimeoutMs });
  const db = new Kysely<TrailDatabase>({ dialect: new PostgresDialect({ pool }) });
  try {
    const isInPartitions = await retrying(classifyPostgres, retryForMs, async () => {
      await checkSettings(db, access);
      const state = await stateOf(db);
      if (access === "create") await createOrMigrate(db, state, partitioned);
      else if (state.age === "missing") throw new TrailStoreError("not-a-trail-store", "the database has no trails");
      return (await stateOf(db)).partitioned;
    });
    if (partitioned && !isInPartitions) throw notPartitioned();
    return new PostgresBackend(db, isInPartitions, retryForMs);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/**
 * Refuses a URL that the driver cannot read. Otherwise the driver would throw its own error for each connection, and
 * would never close a connection with an invalid port.
 *
 * @throws {@link TrailStoreError} `unsupported-url` when the driver cannot read `url`.
 */
function checkUrl(url: string): void {
  let port = Number.NaN;
  try {
    port = new pg.Client(url).port;
  } catch {
    // The driver's message is dropped, because it may repeat the URL and its password.
  }
  if (port >= 0 && port < 2 ** 16) return;
  throw new TrailStoreError("unsupported-url", "expected postgres://user@host:port/database; received something else");
}

async function checkSettings(db: Kysely<TrailDatabase>, access: Access): Promise<void> {
  const { rows } = await sql<{ encoding: string; role: string }>`
    select current_setting('server_encoding') as encoding, current_setting('session_replication_role') as role`.execute(
    db,
  );
  const [{ encoding, role } = { encoding: "", role: "" }] = rows;
  if (encoding !== "UTF8") {
    throw new TrailStoreError("unsupported-url", `a trail needs a database whose encoding is UTF8, not ${encoding}`);
  }
  // With this setting, no trigger of the tables runs.
  if (role !== "replica" || access === "read") return;
  const message =
    "expected session_replication_role origin, received replica, with which no trigger guards the records";
  throw new TrailStoreError("unavailable", message);
}

interface State {
  readonly age: "missing" | "old" | "current";
  readonly partitioned: boolean;
}

async function stateOf(db: Kysely<TrailDatabase>): Promise<State> {
  const { rows } = await sql<Pick<State, "age">>`select case
    when to_regclass('thoughts') is null or to_regclass('checkpoints') is null then 'missing'
    when exists (select from pg_trigger where tgrelid = to_regclass('thoughts') and tgname = 'thoughts_behind_head')
    then 'current' else 'old' end as age`.execute(db);
  return { age: rows[0]?.age ?? "missing", partitioned: await isPartitioned(db) };
}

async function createOrMigrate(db: Kysely<TrailDatabase>, state: State, partitioned = false): Promise<void> {
  if (state.age === "current") return;
  try {
    const inPartitions = state.age === "missing" ? partitioned : state.partitioned;
    await migrate(db, inPartitions ? "postgres partitioned" : "postgres");
  } catch (error) {
    // A role that may only read and insert uses an older version's tables until their owner opens the store.
    if (state.age === "missing" || !hasState(error, "42501")) throw error;
  }
}

class PostgresBackend implements Backend {
  readonly db: Kysely<TrailDatabase>;
  readonly classify = classifyPostgres;
  readonly inChain = IN_CHAIN;
  readonly note = sql.ref<string>("note");
  readonly taskStartsWith = (start: string): RawBuilder<boolean> => sql<boolean>`starts_with(task_id, ${start})`;
  partitioned = false;
  #rows = new PostgresRows(false);
  readonly #groups: AppendGroups;
  readonly #heads = new Map<string, StoredThought>();
  // For tasks to which other processes also write, a lock costs less than a refused statement.
  readonly #contended = new Set<string>();

  constructor(db: Kysely<TrailDatabase>, partitioned: boolean, retryForMs: number) {
    this.db = db;
    this.#groups = new AppendGroups({
      append: (scope, plan) => this.#inForm(() => this.#append(scope, plan)),
      classify: classifyPostgres,
      retryForMs,
      // A lock on one task does not affect the writers of other tasks.
      lineOf: ({ taskIds: [taskId, ...others] }) => (others.length > 0 ? undefined : taskId),
    });
    this.#use(partitioned);
  }

  append(scope: AppendScope, plan: Plan): Promise<readonly StoredThought[]> {
    return this.#groups.run(scope, plan);
  }

  transact<T>(work: (transaction: OpenTransaction) => Promise<T>): Promise<T> {
    return this.#inForm(() => this.#transact(work));
  }

  async #transact<T>(work: (transaction: OpenTransaction) => Promise<T>): Promise<T> {
    const db = await this.db.startTransaction().execute();
    let result: T;
    try {
      result = await work({ db, append: async (scope, plan) => (await this.#rows.append(db, scope, plan)).all });
    } catch (error) {
      // If the connection was lost, there is nothing left to roll back.
      await db
        .rollback()
        .execute()
        .catch(() => {});
      throw error;
    }
    try {
      await db.commit().execute();
    } catch (cause) {
      // This is not retried: if the database did commit, a second run would store everything twice.
      const message = "the connection was lost during a commit: the transaction may or may not be stored";
      throw new TrailStoreError("unavailable", message, { cause });
    }
    return result;
  }

  async bulk(fill: (bulk: BulkInsert) => Promise<void>): Promise<void> {
    this.#heads.clear();
    await this.#inForm(() =>
      this.db.transaction().execute(async (transaction) => {
        await fill({
          existing: (keys) => this.#rows.byKeys(transaction, keys),
          head: (taskId) => this.#rows.head(transaction, taskId),
          insert: (rows) => this.#rows.insert(transaction, rows),
        });
      }),
    );
  }

  async checkStructure(): Promise<void> {
    // PostgreSQL checks pages as it reads them, if data checksums are on (the default since version 18).
  }

  async compareGuards(): Promise<StoreProblem[]> {
    this.#use(await isPartitioned(this.db));
    return this.db.transaction().execute((transaction) => compareGuards(transaction, this.partitioned));
  }

  async taskEnds(taskId: string): Promise<TaskEnds | undefined> {
    return this.partitioned ? this.#rows.taskEnds(this.db, taskId) : undefined;
  }

  settleBefore(time: Time): Promise<void> {
    return this.#inPartitions(async (transaction) => {
      await lockRecords(transaction, "share");
      await checkPast(transaction, time);
    });
  }

  partitionsBefore(time: Time): Promise<Partition[]> {
    return this.#inPartitions((transaction) => countPartitions(transaction, time));
  }

  dropBefore(time: Time, check: (ends: readonly DroppedEnd[]) => void): Promise<void> {
    return this.#inPartitions((transaction) => dropPartitions(transaction, time, check));
  }

  async close(): Promise<void> {
    await this.db.destroy();
  }

  async partition(): Promise<Partition | undefined> {
    const partition = await this.db.transaction().execute(repartition);
    this.#use(true);
    return partition;
  }

  #use(partitioned: boolean): void {
    if (this.partitioned !== partitioned) this.#rows = new PostgresRows(partitioned);
    this.partitioned = partitioned;
  }

  /**
   * Runs `work` again if another process has partitioned the tables since this process opened them, because rows then
   * have a time.
   */
  async #inForm<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (this.partitioned || !hasState(error, "23502")) throw error;
      this.#use(true);
      return work();
    }
  }

  async #inPartitions<T>(work: (transaction: Transaction<TrailDatabase>) => Promise<T>): Promise<T> {
    if (!this.partitioned) throw notPartitioned();
    return this.db.transaction().execute(work);
  }

  async #append(scope: AppendScope, plan: Plan): Promise<readonly StoredThought[]> {
    return (await this.#appendBehindKnownHeads(scope, plan)) ?? this.#appendLocked(scope, plan);
  }

  async #appendBehindKnownHeads(scope: AppendScope, plan: Plan): Promise<readonly StoredThought[] | undefined> {
    const known = scope.taskIds.every((taskId) => this.#heads.has(taskId) && !this.#contended.has(taskId));
    if (!known || new Set(scope.keys.map(keyOf)).size < scope.keys.length) return undefined;
    const { added, all } = plan({ byKey: () => undefined, head: (taskId) => this.#heads.get(taskId) });
    try {
      await this.#rows.insert(this.db, added);
    } catch (error) {
      if (!hasState(error, "23505")) throw this.#forgetting(scope, error);
      for (const taskId of scope.taskIds) this.#contended.add(taskId);
      return undefined;
    }
    this.#remember(all);
    return all;
  }

  async #appendLocked(scope: AppendScope, plan: Plan): Promise<readonly StoredThought[]> {
    try {
      const all = await this.db.transaction().execute(async (transaction) => {
        const { all, heads } = await this.#rows.append(transaction, scope, plan);
        for (const taskId of scope.taskIds) {
          if (this.#heads.get(taskId)?.hash === heads.get(taskId)?.hash) this.#contended.delete(taskId);
        }
        return all;
      });
      this.#remember(all);
      return all;
    } catch (error) {
      throw this.#forgetting(scope, error);
    }
  }

  #remember(all: readonly StoredThought[]): void {
    if (this.#heads.size > MAX_CACHED_HEADS) this.#heads.clear();
    for (const record of all) {
      const head = this.#heads.get(record.task_id);
      if (head === undefined || head.position < record.position) this.#heads.set(record.task_id, record);
    }
  }

  #forgetting({ taskIds }: AppendScope, error: unknown): unknown {
    for (const taskId of taskIds) this.#heads.delete(taskId);
    return error;
  }
}
