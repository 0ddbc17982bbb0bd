import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { checkStored } from "../errors.ts";
import type { AppendScope, Plan, RecordKey, TaskEnds } from "./backend.ts";
import { type Head, keyOf, type StoredThought, THOUGHT_COLUMNS, type TrailDatabase } from "./schema.ts";

export const IN_CHAIN: RawBuilder<boolean> = sql<boolean>`position between 0 and ${sql.lit(Number.MAX_SAFE_INTEGER)} and task_id <> ''`;

type Executor = Kysely<TrailDatabase> | Transaction<TrailDatabase>;

/** The columns of a head that outlive its record. */
const KEPT: readonly (keyof StoredThought)[] = Object.freeze(["task_id", "position", "hash"] as const);

const COLUMNS = columnsOf(() => "");
const HEAD_COLUMNS = columnsOf((column) => (KEPT.includes(column) ? "heads." : "thoughts."));

/** The statements on records, for tables with and without partitions. */
export class PostgresRows {
  readonly #partitioned: boolean;

  constructor(partitioned: boolean) {
    this.#partitioned = partitioned;
  }

  /** Appends in a transaction, under locks that are held until it ends; the returned `heads` are those before the append. */
  async append(
    db: Executor,
    { keys, taskIds }: AppendScope,
    plan: Plan,
  ): Promise<{ all: readonly StoredThought[]; heads: ReadonlyMap<string, Head> }> {
    await lockTasks(db, taskIds);
    // One statement reads both, because other writers of the tasks wait while it runs.
    const { rows } = await sql<StoredThought & { is_head: boolean }>`
      select true as is_head, head.* from (${this.#headsOf(taskIds)}) as head
      union all select false, known.* from (${recordsOf(keys)}) as known`.execute(db);
    const heads = new Map<string, Head>();
    const existing = new Map<string, StoredThought>();
    for (const { is_head: isHead, ...row } of rows) {
      if (isHead) heads.set(row.task_id, toHead(row));
      else existing.set(keyOf(row), row);
    }
    const { added, all } = plan({ byKey: (key) => existing.get(keyOf(key)), head: (taskId) => heads.get(taskId) });
    await this.insert(db, added);
    return { all, heads };
  }

  /**
   * Inserts all rows or none in one statement: if a trigger keeps a row out, a division by zero undoes the statement.
   */
  async insert(db: Executor, rows: readonly StoredThought[]): Promise<void> {
    if (rows.length === 0) return;
    // There is one parameter for each column, so that the statement's text is the same for any number of rows.
    const arrays = THOUGHT_COLUMNS.map((column) => {
      const values = rows.map((row) => row[column]);
      return sql`${values}::${sql.raw(column === "position" ? "bigint" : "text")}[]`;
    });
    const added = sql`unnest(${sql.join(arrays)}) as added (${COLUMNS})`;
    // The time is never earlier than the previous record's, whatever the clock says, because dropped partitions must
    // hold the start of each chain.
    const source = this.#partitioned
      ? sql`(${COLUMNS}, stored_at) select added.*, greatest(clock.now, heads.stored_at) from ${added}
          cross join (select clock_timestamp() as now offset 0) as clock left join heads on heads.task_id = added.task_id`
      : sql`(${COLUMNS}) select * from ${added}`;
    const { rows: counts } = await sql<{ stored: number }>`
      with stored as (insert into thoughts ${source} returning 1)
      select count(*) / (count(*) = ${rows.length})::int as stored from stored`.execute(db);
    checkStored(Number(counts[0]?.stored), rows.length);
  }

  /** Returns the last record of a task. */
  async head(db: Executor, taskId: string): Promise<Head | undefined> {
    const { rows } = await this.#headsOf([taskId]).execute(db);
    return rows[0] && toHead(rows[0]);
  }

  /** Returns the records with these keys. */
  async byKeys(db: Executor, keys: readonly RecordKey[]): Promise<StoredThought[]> {
    return (await recordsOf(keys).execute(db)).rows;
  }

  /** Returns the beginning and end of a task in partitioned tables. */
  async taskEnds(db: Executor, taskId: string): Promise<TaskEnds | undefined> {
    const { rows } =
      await sql<TaskEnds>`select heads.position as last, coalesce(start.position, heads.position + 1) as first,
        coalesce(start.prev_hash, heads.hash) as before
      from heads left join lateral (
        select position, prev_hash from thoughts where task_id = ${taskId} and ${IN_CHAIN} order by position limit 1
      ) as start on true where heads.task_id = ${taskId}`.execute(db);
    return rows[0];
  }

  #headsOf(taskIds: readonly string[]): RawBuilder<StoredThought> {
    return this.#partitioned
      ? sql<StoredThought>`select ${HEAD_COLUMNS} from unnest(${taskIds}::text[]) as task(id)
          join heads on heads.task_id = task.id left join thoughts on thoughts.task_id = heads.task_id
            and thoughts.position = heads.position and thoughts.stored_at = heads.stored_at`
      : sql<StoredThought>`select head.* from unnest(${taskIds}::text[]) as task(id) cross join lateral (
          select ${COLUMNS} from thoughts where task_id = task.id and ${IN_CHAIN} order by position desc limit 1) as head`;
  }
}

function columnsOf(table: (column: keyof StoredThought) => string): RawBuilder<unknown> {
  return sql.join(THOUGHT_COLUMNS.map((column) => sql.ref(`${table(column)}${column}`)));
}

/** Returns a head, without its record's texts if the record was dropped. */
function toHead(row: StoredThought): Head {
  const { task_id, position, hash } = row;
  return (row.content as string | null) === null ? { task_id, position, hash } : row;
}

function recordsOf(keys: readonly RecordKey[]): RawBuilder<StoredThought> {
  const [ids, taskIds] = [keys.map(({ id }) => id), keys.map(({ task_id }) => task_id)];
  return sql<StoredThought>`select ${columnsOf(() => "thoughts.")}
    from unnest(${ids}::text[], ${taskIds}::text[]) as key(id, task_id)
    join thoughts on thoughts.id = key.id and thoughts.task_id = key.task_id`;
}

async function lockTasks(db: Executor, taskIds: readonly string[]): Promise<void> {
  // Every writer locks tasks in the same order, so that two writers of several tasks cannot wait for each other.
  await sql`select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(task_id, 7) as key from unnest(${taskIds}::text[]) as task_id order by key
  ) as keys`.execute(db);
}
