import { sliceWithoutSplittingSurrogates } from "@agentprint/canonical-json/text";
import { ThoughtRecordSchema } from "@agentprint/trail/schema";
import { openedTrail } from "./trail-job.ts";

/** Which lines are shown, by 0-based number. */
export interface RowsInput {
  readonly from: number;
  readonly to: number;
}

/** A record as the page draws it. */
export interface RecordRow {
  readonly at: number;
  readonly task: string;
  readonly type: string;
  readonly id: string;
  readonly time: string;
  readonly content: string;
  readonly hash: string;
  readonly previous: string;
  /** Whether the previous line holds this record's predecessor; `undefined` if that line belongs to another task. */
  readonly follows: boolean | undefined;
}

/** A row of the drawn chain, which is a record or a line that is not a record. */
export type TrailRow = RecordRow | { readonly at: number; readonly unreadable: string };

/** The maximum number of UTF-16 code units of a record's content that are shown. */
const MAX_CONTENT = 300;

/** Returns some rows of the last verified trail. */
export async function rowsJob({ from, to }: RowsInput): Promise<readonly TrailRow[]> {
  const before = Math.max(0, from - 1);
  const values = await openedTrail().valuesOf(before, to);
  const rows: TrailRow[] = [];
  for (const [index, value] of values.entries()) rows.push(rowOf(value, before + index, rows.at(-1)));
  return rows.slice(from - before);
}

function rowOf(value: unknown, at: number, before: TrailRow | undefined): TrailRow {
  const parsed = ThoughtRecordSchema.safeParse(value);
  if (!parsed.success) {
    return { at, unreadable: value instanceof Error ? value.message : "the line is JSON, but not a record" };
  }
  const { task_id: task, type, id, timestamp: time, content, hash, prev_hash: previous } = parsed.data;
  const isSameTask = before !== undefined && "task" in before && before.task === task;
  return {
    at,
    task,
    type,
    id,
    time,
    content: sliceWithoutSplittingSurrogates(content, 0, MAX_CONTENT),
    hash,
    previous,
    follows: isSameTask ? before.hash === previous : undefined,
  };
}
