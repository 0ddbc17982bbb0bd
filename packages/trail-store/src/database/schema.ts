import type { ThoughtRecord } from "@agentprint/trail";

/** A record and its 0-based position in its chain. */
export interface StoredThought extends ThoughtRecord {
  readonly position: number;
}

/** The last record of a task; only its hash and position if it was dropped with its partition. */
export type Head = StoredThought | Pick<StoredThought, "task_id" | "position" | "hash">;

/** A signed checkpoint, with its task. */
export interface StoredCheckpoint {
  readonly task_id: string;
  readonly size: number;
  /** The signed note. */
  readonly note: string;
}

/** The tables' types for Kysely. */
export interface TrailDatabase {
  thoughts: StoredThought;
  checkpoints: StoredCheckpoint;
}

/** The maximum number of UTF-16 code units in an id or a task name. */
export const MAX_KEY_LENGTH = 512;

/** The fields of a record. */
export const RECORD_COLUMNS: readonly (keyof ThoughtRecord)[] = Object.freeze([
  "id",
  "type",
  "task_id",
  "agent_id",
  "content",
  "timestamp",
  "prev_hash",
  "hash",
] as const);

/** The columns of a row, in the order in which rows are written. */
export const THOUGHT_COLUMNS: readonly (keyof StoredThought)[] = Object.freeze([...RECORD_COLUMNS, "position"]);

/** Returns whether a row belongs to a chain; a backend's `inChain` is the same condition in SQL. */
export function isInChain({ task_id, position }: StoredThought): boolean {
  return task_id !== "" && Number.isSafeInteger(position) && position >= 0;
}

/** Returns a record's task and id in one string. Neither a task nor an id contains U+0000. */
export function keyOf({ task_id, id }: Pick<StoredThought, "task_id" | "id">): string {
  return `${task_id}\0${id}`;
}

/** Returns a stored record without its position. */
export function toRecord({ position: _position, ...record }: StoredThought): ThoughtRecord {
  return record;
}
