import { setImmediate as nextTurn } from "node:timers/promises";
import { canonicalize } from "@agentprint/trail/record";
import { sql } from "kysely";
import type { Backend, RecordKey, TaskEnds } from "../database/backend.ts";
import { type StoredThought, THOUGHT_COLUMNS, toRecord } from "../database/schema.ts";
import { timeText } from "../database/time-text.ts";
import { TrailStoreError } from "../errors.ts";
import type { ExportedRow, Time } from "../store-options.ts";
import { overtaken, readAgain } from "./read-again.ts";

const MAX_PAGE_ROWS = 200;
/** The number of UTF-16 code units that a page should have. */
const PAGE_LENGTH = 2 ** 20;
/** The approximate number of UTF-16 code units in a record without its content. */
const RECORD_OVERHEAD = 400;
const MAX_NAMED_IDS = 10;

/** Returns the record with this task and id, if it belongs to a chain. */
export async function readThought({ db, inChain }: Backend, key: RecordKey): Promise<StoredThought | undefined> {
  return db
    .selectFrom("thoughts")
    .select(THOUGHT_COLUMNS)
    .where("id", "=", key.id)
    .where("task_id", "=", key.task_id)
    .where(inChain)
    .executeTakeFirst();
}

/** Returns the records with this id that belong to a chain, ordered by task name. */
export async function findThoughts({ db, inChain }: Backend, id: string, limit: number): Promise<StoredThought[]> {
  return db
    .selectFrom("thoughts")
    .select(THOUGHT_COLUMNS)
    .where("id", "=", id)
    .where(inChain)
    .orderBy("task_id")
    .limit(limit)
    .execute();
}

/** Returns the last record of a task. */
export async function readHead({ db, inChain }: Backend, taskId: string): Promise<StoredThought | undefined> {
  return db
    .selectFrom("thoughts")
    .select(THOUGHT_COLUMNS)
    .where("task_id", "=", taskId)
    .where(inChain)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Returns the position of a task's last record that was stored before `time`, in partitioned tables. */
export async function readLastBefore(
  { db, inChain }: Backend,
  taskId: string,
  time: Time,
): Promise<number | undefined> {
  const row = await db
    .selectFrom("thoughts")
    .select("position")
    .where("task_id", "=", taskId)
    .where(inChain)
    .where(sql<boolean>`stored_at < ${timeText(time)}::timestamptz`)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.position;
}

/**
 * Calls `work` and returns its result; calls it again, at most five times, if the task's first records were dropped
 * while it read.
 *
 * @throws {@link TrailStoreError} `overtaken`.
 */
export async function readStable<T>(
  backend: Backend,
  taskId: string,
  work: (ends: TaskEnds | undefined) => Promise<T>,
): Promise<T> {
  return readAgain(async () => {
    const ends = await backend.taskEnds(taskId);
    const [outcome] = await Promise.allSettled([work(ends)]);
    const first = (await backend.taskEnds(taskId))?.first;
    if (first !== ends?.first) throw overtaken(taskId, ends?.first ?? 0, first ?? 0);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

/** Returns at most `limit` records of a task after position `after`. */
export async function readPage(
  { db, inChain }: Backend,
  taskId: string,
  after: number,
  limit: number,
): Promise<StoredThought[]> {
  return db
    .selectFrom("thoughts")
    .select(THOUGHT_COLUMNS)
    .where("task_id", "=", taskId)
    .where("position", ">", after)
    .where(inChain)
    .orderBy("position")
    .limit(limit)
    .execute();
}

/**
 * Yields all records of a task, page by page. The longer the records on a page are, the fewer records the next page
 * has. Each page is a separate statement, so that no transaction makes a drop wait while the reader does something
 * else.
 *
 * @throws {@link TrailStoreError} `overtaken` when records after the last one read were dropped.
 */
export async function* readThoughts(backend: Backend, taskId: string): AsyncGenerator<readonly StoredThought[], void> {
  let after = -1;
  let limit = 100;
  for (;;) {
    const page = await readPage(backend, taskId, after, limit);
    const [first] = page;
    if (after >= 0 && first?.position !== after + 1) await checkNotOvertaken(backend, taskId, after + 1);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    // SQLite reads are synchronous, so nothing else in the process would run until the end of the chain.
    await nextTurn();
    after = last.position;
    const average = page.reduce((sum, { content }) => sum + content.length + RECORD_OVERHEAD, 0) / page.length;
    limit = Math.max(1, Math.min(MAX_PAGE_ROWS, Math.floor(PAGE_LENGTH / average)));
  }
}

/** Refuses a gap that a drop has made, and leaves any other gap to verification. */
async function checkNotOvertaken(backend: Backend, taskId: string, next: number): Promise<void> {
  const first = (await backend.taskEnds(taskId))?.first ?? 0;
  if (first > next) throw overtaken(taskId, next, first);
}

/** Yields the tasks whose names begin with `start`, each with its number of records; some may have no records left. */
export async function* readTasks(
  { db, inChain, partitioned, taskStartsWith }: Backend,
  start = "",
): AsyncGenerator<{ taskId: string; length: number }, void> {
  const isNamed = start === "" ? sql`true` : taskStartsWith(start);
  let after = "";
  // The tables that may name a task without remaining records.
  const others = partitioned ? ["checkpoints", "heads"] : ["checkpoints"];
  for (;;) {
    const { rows: page } = await sql<{ task_id: string; length: number }>`
      select task_id, max(length) as length from (
        select * from (select task_id, count(*) as length from thoughts where task_id > ${after} and ${isNamed} and ${inChain}
          group by task_id order by task_id limit ${sql.lit(MAX_PAGE_ROWS)}) as recorded
        ${sql.join(
          others.map(
            (table) => sql`union all
              select * from (select task_id, 0 as length from ${sql.table(table)} where task_id > ${after} and ${isNamed}
                group by task_id order by task_id limit ${sql.lit(MAX_PAGE_ROWS)}) as ${sql.ref(`named_in_${table}`)}`,
          ),
          sql` `,
        )}
      ) as tasks group by task_id order by task_id limit ${sql.lit(MAX_PAGE_ROWS)}`.execute(db);
    const last = page.at(-1);
    if (last === undefined) return;
    if (last.task_id === after || typeof last.task_id !== "string") {
      throw new TrailStoreError("corrupt", "the database is damaged: it has a task whose name is not text");
    }
    for (const task of page) yield { taskId: task.task_id, length: Number(task.length) };
    after = last.task_id;
  }
}

/**
 * Returns how many of a task's rows belong to no chain and are therefore never read, and the ids of the first of them.
 * Rows without a task are counted for every task.
 */
export async function countUnreached(
  { db, inChain }: Backend,
  taskId: string | undefined,
): Promise<{ count: number; ids: string[] }> {
  const among = taskId === undefined ? sql`` : sql`task_id in ('', ${taskId}) and`;
  const unreached = sql`from thoughts where ${among} (${inChain}) is not true`;
  const { rows } = await sql<{ count: number }>`select count(*) as count ${unreached}`.execute(db);
  const count = Number(rows[0]?.count);
  if (count === 0) return { count, ids: [] };
  const found = await sql<{ id: unknown }>`select id ${unreached} order by id limit ${sql.lit(MAX_NAMED_IDS)}`.execute(
    db,
  );
  return { count, ids: found.rows.map(({ id }) => String(id)) };
}

/** Yields the canonical lines of a task, or of every task, each with its position. */
export async function* readRows(backend: Backend, taskId?: string): AsyncGenerator<ExportedRow, void> {
  if (taskId === undefined) {
    for await (const task of readTasks(backend, "")) yield* readRows(backend, task.taskId);
    return;
  }
  for await (const page of readThoughts(backend, taskId)) {
    for (const thought of page) {
      yield { task: taskId, position: thought.position, line: canonicalize(toRecord(thought)) };
    }
  }
}
