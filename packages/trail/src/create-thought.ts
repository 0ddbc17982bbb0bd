import { toPointer } from "@agentprint/canonical-json";
import { quote, TrailError } from "./errors.ts";
import { isHash } from "./hex.ts";
import { computeHash, type ThoughtRecord, ThoughtRecordSchema, ZERO_HASH } from "./schema.ts";

const DraftSchema = ThoughtRecordSchema.omit({ hash: true });

/** What the writer of a thought says; the rest of a record follows from it. */
export type ThoughtFields = Pick<ThoughtRecord, "type" | "task_id" | "agent_id" | "content">;

/** Where time and identity come from: this package has no clock and no randomness. */
export interface ThoughtSources {
  /** The timestamp, or what gives it. A `Date` is written in ISO 8601, UTC, with milliseconds. */
  readonly now: string | Date | (() => string | Date);
  /** The record's id, or what gives it. */
  readonly id: string | (() => string);
}

/**
 * The record that follows `prev` in its chain; the genesis record of a chain where `prev` is `null`.
 *
 * @throws `TrailError`: `invalid-thought` with the path of the field, `foreign-predecessor` where `prev` is of another
 * task, `altered-predecessor` where its hash does not match its content.
 *
 * @example
 * ```ts
 * import { createThought } from "@agentprint/trail/chain";
 *
 * const sources = { now: () => new Date(), id: () => crypto.randomUUID() };
 * const fields = { type: "plan", task_id: "task-42", agent_id: "planner", content: "Migrate the table." } as const;
 * const first = createThought(fields, null, sources);
 * const second = createThought({ ...fields, type: "decision", content: "At night." }, first, sources);
 * console.log(second.prev_hash === first.hash); // true
 * ```
 */
export function createThought(
  fields: ThoughtFields,
  prev: ThoughtRecord | null,
  sources: ThoughtSources,
): ThoughtRecord {
  const { type, task_id, agent_id, content } = fields;
  if (prev) checkPredecessor(prev, task_id);
  const now = typeof sources.now === "function" ? sources.now() : sources.now;
  const draft = {
    id: typeof sources.id === "function" ? sources.id() : sources.id,
    type,
    task_id,
    agent_id,
    content,
    timestamp: now instanceof Date ? toTimestamp(now) : now,
    prev_hash: prev?.hash ?? ZERO_HASH,
  };
  const { error } = DraftSchema.safeParse(draft);
  const issue = error?.issues[0];
  if (issue) {
    const path = toPointer(issue.path as string[]);
    throw new TrailError("invalid-thought", `a thought cannot be recorded: ${issue.message} at ${path}`, { path });
  }
  return { ...draft, hash: computeHash(draft) };
}

function checkPredecessor(prev: ThoughtRecord, taskId: string): void {
  if (prev.task_id !== taskId) {
    const message = `a record of task ${quote(String(taskId))} cannot follow one of task ${quote(prev.task_id)}`;
    throw new TrailError("foreign-predecessor", message, { path: "/task_id" });
  }
  if (!isHash(prev.hash) || computeHash(prev) !== prev.hash) {
    const message = `record ${quote(prev.id)} cannot be followed: its hash does not match its content`;
    throw new TrailError("altered-predecessor", message, { path: "/hash" });
  }
}

function toTimestamp(now: Date): string {
  if (Number.isNaN(now.getTime())) {
    throw new TrailError("invalid-thought", "a thought cannot be recorded: invalid date at /timestamp", {
      path: "/timestamp",
    });
  }
  return now.toISOString();
}
