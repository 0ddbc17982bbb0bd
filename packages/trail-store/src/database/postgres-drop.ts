import { TrailError } from "@agentprint/trail/checkpoint";
import { type Kysely, sql, type Transaction } from "kysely";
import { TrailStoreError } from "../errors.ts";
import type { Partition, Time } from "../store-options.ts";
import type { DroppedEnd } from "./backend.ts";
import type { TrailDatabase } from "./schema.ts";
import { timeText } from "./time-text.ts";

/** Writers queue behind a lock that waits, so it must not wait for long. */
const LOCK_WITHIN_MS = 1000;
const MAX_PAGE_TASKS = 200;

type Executor = Kysely<TrailDatabase>;

interface FoundPartition extends Omit<Partition, "records"> {
  /** The quoted name with its schema. */
  readonly table: string;
}

/** Takes a lock on the records, for which it waits at most a second. */
export async function lockRecords(
  db: Executor,
  mode: "share" | "share row exclusive" | "access exclusive",
): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_WITHIN_MS)}`.execute(db);
  await sql`lock table thoughts in ${sql.raw(mode)} mode`.execute(db);
}

/** @throws {@link TrailError} `invalid-time` when `time` is later than the database's clock. */
export async function checkPast(db: Executor, time: Time): Promise<void> {
  const text = timeText(time);
  const { rows } = await sql<{ past: boolean }>`select ${text}::timestamptz <= clock_timestamp() as past`.execute(db);
  if (rows[0]?.past) return;
  throw new TrailError("invalid-time", `${text} is later than the database's clock`);
}

/** Returns the partitions that end at or before `time`, oldest first, each with the number of its records. */
export async function countPartitions(db: Transaction<TrailDatabase>, time: Time): Promise<Partition[]> {
  await checkPast(db, time);
  const partitions: Partition[] = [];
  for (const { table, ...partition } of await findPartitions(db, time)) {
    const { rows } = await sql<{ records: number }>`select count(*) as records from ${sql.raw(table)}`.execute(db);
    partitions.push({ ...partition, records: Number(rows[0]?.records) });
  }
  return partitions;
}

/**
 * Drops the partitions that end at or before `time`. `check` receives each task's last record in them, page by page.
 * Writers are locked out from before the first call until the end of the transaction.
 */
export async function dropPartitions(
  db: Transaction<TrailDatabase>,
  time: Time,
  check: (ends: readonly DroppedEnd[]) => void,
): Promise<void> {
  await lockRecords(db, "share row exclusive");
  await checkPast(db, time);
  const partitions = await findPartitions(db, time);
  const end = partitions.at(-1)?.to;
  if (end === undefined) return;
  for (let after = ""; ; ) {
    const page = await readEnds(db, end, after);
    const last = page.at(-1);
    if (last === undefined) break;
    check(page.filter((row): row is DroppedEnd => row.hash !== null));
    after = last.task_id;
  }
  await sql`drop table ${sql.raw(partitions.map(({ table }) => table).join(", "))}`.execute(db);
}

/**
 * @throws {@link TrailStoreError} `not-droppable` when a record from before the end of the last partition is in none of
 * the partitions found.
 */
async function findPartitions(db: Executor, time: Time): Promise<FoundPartition[]> {
  // These settings make the bounds print and parse in one form, whatever time zone and date style the role or the
  // database has.
  await sql`set local timezone = 'UTC'`.execute(db);
  await sql`set local datestyle = 'ISO'`.execute(db);
  const { rows } = await sql<FoundPartition>`
    select "table", name, to_json(bounds[1]::timestamptz) #>> '{}' as "from", to_json(bounds[2]::timestamptz) #>> '{}' as "to"
    from (
      select format('%I.%I', nspname, relname) as "table", relname as name, regexp_match(pg_get_expr(relpartbound, pg_class.oid),
        '^FOR VALUES FROM [(](?:''([^'']*)''|MINVALUE)[)] TO [(]''([^'']*)''[)]$') as bounds
      from pg_inherits join pg_class on pg_class.oid = inhrelid join pg_namespace on pg_namespace.oid = relnamespace
      where inhparent = to_regclass('thoughts')
    ) as partitions where bounds[2]::timestamptz <= ${timeText(time)}::timestamptz order by bounds[2]::timestamptz`.execute(
    db,
  );
  const end = rows.at(-1)?.to;
  if (end !== undefined) await checkDefault(db, end);
  return rows;
}

async function checkDefault(db: Executor, end: string): Promise<void> {
  const { rows } = await sql<{
    table: string;
    name: string;
  }>`select format('%I.%I', nspname, relname) as "table", relname as name
    from pg_partitioned_table join pg_class on pg_class.oid = partdefid join pg_namespace on pg_namespace.oid = relnamespace
    where partrelid = to_regclass('thoughts')`.execute(db);
  const [other] = rows;
  if (other === undefined) return;
  const found = await sql<{ older: boolean }>`select exists (
    select from ${sql.raw(other.table)} where stored_at < ${end}::timestamptz) as older`.execute(db);
  if (!found.rows[0]?.older) return;
  const message = `${other.name} has records from before ${end}, which would be left in the middle of their chains: move them to a separate partition first`;
  throw new TrailStoreError("not-droppable", message);
}

/**
 * For each of the next tasks, returns its last record before `end`. If a task has no such record, its row has no hash.
 */
async function readEnds(
  db: Executor,
  end: string,
  after: string,
): Promise<(Pick<DroppedEnd, "task_id"> & { readonly hash: string | null })[]> {
  const { rows } = await sql<DroppedEnd>`
    select task.task_id, last.position, last.hash, array(
      select note from checkpoints where checkpoints.task_id = task.task_id and size = last.position + 1) as notes
    from (select task_id from heads where task_id > ${after} order by task_id limit ${sql.lit(MAX_PAGE_TASKS)}) as task
    left join lateral (
      select position, hash from thoughts where thoughts.task_id = task.task_id and stored_at < ${end}::timestamptz
      order by position desc limit 1
    ) as last on true order by task.task_id`.execute(db);
  return rows;
}
