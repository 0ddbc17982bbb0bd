import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Access, AppendScope, Backend, BulkInsert, Classified, Plan } from "./backend.ts";
import { TrailStoreError } from "./errors.ts";
import { migrate } from "./migrations.ts";
import { retrying } from "./retry.ts";
import { type StoredThought, THOUGHT_COLUMNS, type TrailDatabase } from "./schema.ts";

const INT8 = 20;
const MAX_CACHED_HEADS = 10_000;

/**
 * A PostgreSQL database as a backend. A single statement appends behind the head that this process last saw; where
 * another writer was faster, a constraint refuses it, and the append is planned again under a lock on its tasks.
 */
export async function openPostgres(url: string, access: Access, retryForMs: number): Promise<Backend> {
  checkUrl(url);
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const pool = new pg.Pool({ connectionString: url, types, max: 4, application_name: "agentprint trail" });
  // A connection that breaks is replaced, and a query on it fails; without listeners it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const db = new Kysely<TrailDatabase>({ dialect: new PostgresDialect({ pool }) });
  try {
    await retrying(classifyPostgres, retryForMs, async () => {
      await checkEncoding(db);
      if (access === "create") await migrate(db, "postgres");
      else await checkTables(db);
    });
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return new PostgresBackend(db);
}

/** The driver would throw errors of its own for each connection, and never close one whose port is none. */
function checkUrl(url: string): void {
  let port = Number.NaN;
  try {
    port = new pg.Client(url).port;
  } catch {
    // What it says may repeat the URL, and with it a password.
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

async function checkTables(db: Kysely<TrailDatabase>): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('thoughts') is not null and to_regclass('checkpoints') is not null as found`.execute(db);
  if (!rows[0]?.found) throw new TrailStoreError("not-a-trail-store", "the database has no trails");
}

class PostgresBackend implements Backend {
  readonly db: Kysely<TrailDatabase>;
  readonly classify = classifyPostgres;
  readonly #heads = new Map<string, StoredThought>();
  // Tasks that another process writes to as well: there the lock costs less than a collision.
  readonly #contended = new Set<string>();

  constructor(db: Kysely<TrailDatabase>) {
    this.db = db;
  }

  async append(scope: AppendScope, plan: Plan): Promise<readonly StoredThought[]> {
    return (await this.#appendBehindKnownHeads(scope, plan)) ?? this.#appendLocked(scope, plan);
  }

  async bulk(fill: (bulk: BulkInsert) => Promise<void>): Promise<void> {
    this.#heads.clear();
    await this.db.transaction().execute(async (transaction) => {
      await fill({
        existing: (ids) => selectById(transaction, ids),
        head: async (taskId) => (await selectHeads(transaction, [taskId])).get(taskId),
        insert: (rows) => insertRows(transaction, rows),
      });
    });
  }

  async checkStructure(): Promise<void> {
    // PostgreSQL checks what it reads, page by page, where data checksums are on (the default since version 18).
  }

  async close(): Promise<void> {
    await this.db.destroy();
  }

  async #appendBehindKnownHeads(scope: AppendScope, plan: Plan): Promise<readonly StoredThought[] | undefined> {
    const known = scope.taskIds.every((taskId) => this.#heads.has(taskId) && !this.#contended.has(taskId));
    if (!known || new Set(scope.ids).size < scope.ids.length) return undefined;
    const { added, all } = plan({ byId: () => undefined, head: (taskId) => this.#heads.get(taskId) });
    try {
      await insertRows(this.db, added);
    } catch (error) {
      if (!isUniqueViolation(error)) throw this.#forgetting(scope, error);
      for (const taskId of scope.taskIds) this.#contended.add(taskId);
      return undefined;
    }
    this.#remember(all);
    return all;
  }

  async #appendLocked(scope: AppendScope, plan: Plan): Promise<readonly StoredThought[]> {
    try {
      const all = await this.db.transaction().execute(async (transaction) => {
        await lockTasks(transaction, scope.taskIds);
        const heads = await selectHeads(transaction, scope.taskIds);
        for (const taskId of scope.taskIds) {
          if (this.#heads.get(taskId)?.hash === heads.get(taskId)?.hash) this.#contended.delete(taskId);
        }
        const existing = new Map((await selectById(transaction, scope.ids)).map((row) => [row.id, row]));
        const planned = plan({ byId: (id) => existing.get(id), head: (taskId) => heads.get(taskId) });
        await insertRows(transaction, planned.added);
        return planned.all;
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

async function insertRows(db: Executor, rows: readonly StoredThought[]): Promise<void> {
  if (rows.length === 0) return;
  // One parameter a column, whatever the number of rows: one statement text for every batch.
  const arrays = THOUGHT_COLUMNS.map((column) => {
    const values = rows.map((row) => row[column]);
    return sql`${values}::${sql.raw(column === "position" ? "bigint" : "text")}[]`;
  });
  const columns = sql.join(THOUGHT_COLUMNS.map((column) => sql.ref(column)));
  await sql`insert into thoughts (${columns}) select * from unnest(${sql.join(arrays)})`.execute(db);
}

async function lockTasks(db: Executor, taskIds: readonly string[]): Promise<void> {
  // In one order everywhere, so that two writers of several tasks cannot wait for each other.
  await sql`select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(task_id, 7) as key from unnest(${taskIds}::text[]) as task_id order by key
  ) as keys`.execute(db);
}

async function selectHeads(db: Executor, taskIds: readonly string[]): Promise<Map<string, StoredThought>> {
  const { rows } = await sql<StoredThought>`select head.* from unnest(${taskIds}::text[]) as task(id)
    cross join lateral (select * from thoughts where task_id = task.id order by position desc limit 1) as head`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.task_id, row]));
}

async function selectById(db: Executor, ids: readonly string[]): Promise<StoredThought[]> {
  return db.selectFrom("thoughts").select(THOUGHT_COLUMNS).where("id", "=", sql<string>`any(${ids}::text[])`).execute();
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "23505";
}

const SOCKET_ERRORS = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH|ENETUNREACH)$/;
// What the driver and Kysely say without a code; the last two, of what was to end a transaction or to release a lock.
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Postgres connection has been discarded)/;

function classifyPostgres(error: unknown): Classified | undefined {
  if (error instanceof TrailStoreError || !(error instanceof Error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const classified = (name: TrailStoreError["code"], text: string, retry = false): Classified => ({
    error: new TrailStoreError(name, `${text} (${code || error.name}: ${error.message})`, { cause: error }),
    retry,
  });
  if (/^(23505|40001|40P01|55P03)$/.test(code)) return classified("busy", "other writers kept the task busy", true);
  if (/^(08...|57P0[123]|53300)$/.test(code) || SOCKET_ERRORS.test(code) || LOST_CONNECTION.test(error.message)) {
    return classified("unavailable", "the database cannot be reached", true);
  }
  if (code === "53100") return classified("disk-full", "the disk is full; nothing was written");
  if (/^(XX001|XX002|58P01)$/.test(code)) return classified("corrupt", "the database is damaged");
  if (/^(TR001|23514)$/.test(code)) return classified("append-only", "the database refused the change");
  if (/^(28...|3D000|42501|ENOTFOUND)$/.test(code))
    return classified("unavailable", "the database refused the connection");
  return undefined;
}
