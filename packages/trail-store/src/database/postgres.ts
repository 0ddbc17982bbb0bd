import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from "kysely";
import pg from "pg";
import { checkStored, TrailStoreError } from "../errors.ts";
import type { StoreProblem } from "../store-problem.ts";
import type { Access, AppendScope, Backend, BulkInsert, OpenTransaction, Plan, RecordKey } from "./backend.ts";
import { migrate } from "./migrations.ts";
import { classifyPostgres, hasState } from "./postgres-errors.ts";
import { compareGuards } from "./postgres-guards.ts";
import { openPool } from "./postgres-pool.ts";
import { retrying } from "./retry.ts";
import { keyOf, type StoredThought, THOUGHT_COLUMNS, type TrailDatabase } from "./schema.ts";

const IN_CHAIN = sql<boolean>`position between 0 and ${sql.lit(Number.MAX_SAFE_INTEGER)} and task_id <> ''`;
const MAX_CACHED_HEADS = 10_000;

/**
 * A PostgreSQL database as a backend. A single statement appends behind the head that this process saw last. If another
 * writer was faster, a constraint refuses the statement, and the append is planned again under an advisory lock on its tasks.
 */
export async function openPostgres(
  url: string,
  access: Access,
  retryForMs: number,
  statementTimeoutMs?: number,
): Promise<Backend> {
  checkUrl(url);
  const pool = openPool(url, { max: 4, application_name: "agentprint trail", statementTimeoutMs });
  const db = new Kysely<TrailDatabase>({ dialect: new PostgresDialect({ pool }) });
  try {
    await retrying(classifyPostgres, retryForMs, async () => {
      await checkEncoding(db);
      const state = await stateOf(db);
      if (access === "create") await createOrMigrate(db, state);
      else if (state === "missing") throw new TrailStoreError("not-a-trail-store", "the database has no trails");
    });
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return new PostgresBackend(db);
}

/**
 * Refuses a URL that the driver cannot read. The driver would throw an error of its own for each connection, and would never
 * close a connection with an invalid port.
 *
 * @throws {@link TrailStoreError} `unsupported-url` when the driver cannot read `url`.
 */
function checkUrl(url: string): void {
  let port = Number.NaN;
  try {
    port = new pg.Client(url).port;
  } catch {
    // The message of the driver is dropped, because it may repeat the URL and its password.
  }
  if (port >= 0 && port < 2 ** 16) return;
  throw new TrailStoreError("unsupported-url", "expected postgres://user@host:port/database; received something else");
}

async function checkEncoding(db: Kysely<TrailDatabase>): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding;
  if (encoding === "UTF8") return;
  throw new TrailStoreError("unsupported-url", `a trail needs a database whose encoding is UTF8, not ${encoding}`);
}

type State = "missing" | "old" | "current";

async function stateOf(db: Kysely<TrailDatabase>): Promise<State> {
  const { rows } = await sql<{ state: State }>`select case
    when to_regclass('thoughts') is null or to_regclass('checkpoints') is null then 'missing'
    when exists (select from pg_trigger where tgrelid = to_regclass('thoughts') and tgname = 'thoughts_behind_head')
    then 'current' else 'old' end as state`.execute(db);
  return rows[0]?.state ?? "missing";
}

async function createOrMigrate(db: Kysely<TrailDatabase>, state: State): Promise<void> {
  if (state === "current") return;
  try {
    await migrate(db, "postgres");
  } catch (error) {
    // A role that may only read and insert uses the tables of an older version until their owner opens the store.
    if (state === "missing" || !hasState(error, "42501")) throw error;
  }
}

class PostgresBackend implements Backend {
  readonly db: Kysely<TrailDatabase>;
  readonly classify = classifyPostgres;
  readonly inChain = IN_CHAIN;
  readonly taskStartsWith = (start: string): RawBuilder<boolean> => sql<boolean>`starts_with(task_id, ${start})`;
  readonly #heads = new Map<string, StoredThought>();
  // Tasks that another process writes to as well: for them a lock costs less than a refused statement.
  readonly #contended = new Set<string>();

  constructor(db: Kysely<TrailDatabase>) {
    this.db = db;
  }

  async append(scope: AppendScope, plan: Plan): Promise<readonly StoredThought[]> {
    return (await this.#appendBehindKnownHeads(scope, plan)) ?? this.#appendLocked(scope, plan);
  }

  async transact<T>(work: (transaction: OpenTransaction) => Promise<T>): Promise<T> {
    const db = await this.db.startTransaction().execute();
    let result: T;
    try {
      result = await work({ db, append: async (scope, plan) => (await appendIn(db, scope, plan)).all });
    } catch (error) {
      // On a connection that was lost there is nothing to roll back any more.
      await db
        .rollback()
        .execute()
        .catch(() => {});
      throw error;
    }
    try {
      await db.commit().execute();
    } catch (cause) {
      // Not retried: if the database did commit, a second run would store everything twice.
      const message = "the connection was lost during a commit: the transaction may be stored or not";
      throw new TrailStoreError("unavailable", message, { cause });
    }
    return result;
  }

  async bulk(fill: (bulk: BulkInsert) => Promise<void>): Promise<void> {
    this.#heads.clear();
    await this.db.transaction().execute(async (transaction) => {
      await fill({
        existing: (keys) => selectByKeys(transaction, keys),
        head: async (taskId) => (await selectHeads(transaction, [taskId])).get(taskId),
        insert: (rows) => insertRows(transaction, rows),
      });
    });
  }

  async checkStructure(): Promise<void> {
    // PostgreSQL checks what it reads, page by page, where data checksums are on (the default since version 18).
  }

  compareGuards(): Promise<StoreProblem[]> {
    return compareGuards(this.db);
  }

  async close(): Promise<void> {
    await this.db.destroy();
  }

  async #appendBehindKnownHeads(scope: AppendScope, plan: Plan): Promise<readonly StoredThought[] | undefined> {
    const known = scope.taskIds.every((taskId) => this.#heads.has(taskId) && !this.#contended.has(taskId));
    if (!known || new Set(scope.keys.map(keyOf)).size < scope.keys.length) return undefined;
    const { added, all } = plan({ byKey: () => undefined, head: (taskId) => this.#heads.get(taskId) });
    try {
      await insertRows(this.db, added);
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
        const { all, heads } = await appendIn(transaction, scope, plan);
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

type Executor = Kysely<TrailDatabase> | Transaction<TrailDatabase>;

/** Appends in a transaction, under locks that are held until it ends; `heads` are those before. */
async function appendIn(
  db: Executor,
  { keys, taskIds }: AppendScope,
  plan: Plan,
): Promise<{ all: readonly StoredThought[]; heads: ReadonlyMap<string, StoredThought> }> {
  await lockTasks(db, taskIds);
  const heads = await selectHeads(db, taskIds);
  const existing = new Map((await selectByKeys(db, keys)).map((row) => [keyOf(row), row]));
  const { added, all } = plan({ byKey: (key) => existing.get(keyOf(key)), head: (taskId) => heads.get(taskId) });
  await insertRows(db, added);
  return { all, heads };
}

/** Inserts all rows or none, in one statement: if a trigger keeps a row out, a division by zero undoes the statement. */
async function insertRows(db: Executor, rows: readonly StoredThought[]): Promise<void> {
  if (rows.length === 0) return;
  // One parameter for each column, so that the text of the statement is the same for every number of rows.
  const arrays = THOUGHT_COLUMNS.map((column) => {
    const values = rows.map((row) => row[column]);
    return sql`${values}::${sql.raw(column === "position" ? "bigint" : "text")}[]`;
  });
  const columns = sql.join(THOUGHT_COLUMNS.map((column) => sql.ref(column)));
  const { rows: counts } = await sql<{ stored: number }>`
    with stored as (insert into thoughts (${columns}) select * from unnest(${sql.join(arrays)}) returning 1)
    select count(*) / (count(*) = ${rows.length})::int as stored from stored`.execute(db);
  checkStored(Number(counts[0]?.stored), rows.length);
}

async function lockTasks(db: Executor, taskIds: readonly string[]): Promise<void> {
  // Every writer locks in the same order, so that two writers of several tasks cannot wait for each other.
  await sql`select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(task_id, 7) as key from unnest(${taskIds}::text[]) as task_id order by key
  ) as keys`.execute(db);
}

async function selectHeads(db: Executor, taskIds: readonly string[]): Promise<Map<string, StoredThought>> {
  const { rows } = await sql<StoredThought>`select head.* from unnest(${taskIds}::text[]) as task(id)
    cross join lateral (select * from thoughts where task_id = task.id and ${IN_CHAIN} order by position desc limit 1) as head`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.task_id, row]));
}

async function selectByKeys(db: Executor, keys: readonly RecordKey[]): Promise<StoredThought[]> {
  const [ids, taskIds] = [keys.map(({ id }) => id), keys.map(({ task_id }) => task_id)];
  const { rows } =
    await sql<StoredThought>`select thoughts.* from unnest(${ids}::text[], ${taskIds}::text[]) as key(id, task_id)
    join thoughts on thoughts.id = key.id and thoughts.task_id = key.task_id`.execute(db);
  return rows;
}
