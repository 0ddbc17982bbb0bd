import { sql } from "kysely";
import type { Backend } from "./backend.ts";
import { type StoredThought, THOUGHT_COLUMNS } from "./schema.ts";

const MAX_PAGE_ROWS = 200;
const PAGE_CHARACTERS = 2 ** 20;

/** The records of a task behind position `after`, at most `limit`. */
export async function readPage(
  { db }: Backend,
  taskId: string,
  after: number,
  limit: number,
): Promise<StoredThought[]> {
  return db
    .selectFrom("thoughts")
    .select(THOUGHT_COLUMNS)
    .where("task_id", "=", taskId)
    .where("position", ">", after)
    .orderBy("position")
    .limit(limit)
    .execute();
}

/** All records of a task, page by page; pages shrink where records are long. */
export async function* readThoughts(backend: Backend, taskId: string): AsyncGenerator<readonly StoredThought[], void> {
  let after = -1;
  let limit = 100;
  for (;;) {
    const page = await readPage(backend, taskId, after, limit);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.position;
    const average = page.reduce((sum, { content }) => sum + content.length + 400, 0) / page.length;
    limit = Math.max(1, Math.min(MAX_PAGE_ROWS, Math.floor(PAGE_CHARACTERS / average)));
  }
}

/** All tasks by name, with the number of their records; also those of which only checkpoints are there. */
export async function* readTasks({ db }: Backend): AsyncGenerator<{ taskId: string; length: number }, void> {
  let after = "";
  for (;;) {
    const { rows: page } = await sql<{ task_id: string; last: number }>`
      select task_id, max(last) as last from (
        select * from (select task_id, max(position) as last from thoughts where task_id > ${after}
          group by task_id order by task_id limit ${sql.lit(MAX_PAGE_ROWS)}) as recorded
        union all
        select * from (select task_id, -1 as last from checkpoints where task_id > ${after}
          group by task_id order by task_id limit ${sql.lit(MAX_PAGE_ROWS)}) as signed
      ) as tasks group by task_id order by task_id limit ${sql.lit(MAX_PAGE_ROWS)}`.execute(db);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const task of page) yield { taskId: task.task_id, length: Number(task.last) + 1 };
    after = last.task_id;
  }
}
