import { isSha256Hex } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { quote, TrailError } from "../errors.ts";
import { computeHash } from "../record/digest.ts";
import { recordIssues, type ThoughtRecord, ZERO_HASH } from "../record/record.ts";

/** The fields that the writer of a thought provides. The other fields follow from them. */
export type ThoughtFields = Pick<ThoughtRecord, "type" | "task_id" | "agent_id" | "content">;

/** Provides the time and the id of a record, because this package has no clock and no randomness. */
export interface ThoughtSources {
  /** The timestamp, or a function that returns it. A `Date` is written in ISO 8601, UTC, with milliseconds. */
  readonly now: string | Date | (() => string | Date);
  /** The id of the record, or a function that returns it. */
  readonly id: string | (() => string);
}

/**
 * Returns the record that follows `prev` in its chain, or the genesis record of a chain if `prev` is `null`.
 *
 * @throws {@link TrailError} `invalid-thought` with the path of the field when a field cannot be recorded,
 * `foreign-predecessor` when `prev` belongs to another task, `altered-predecessor` when the hash of `prev` does not
 * match its content.
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
  checkArgument("fields", fields, "object");
  checkArgument("sources", sources, "object");
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
  // The hash is computed only if no field has an issue.
  const issue = recordIssues({ ...draft, hash: ZERO_HASH })[0];
  if (issue) {
    const path = `/${issue.field}`;
    throw new TrailError("invalid-thought", `a thought cannot be recorded: ${issue.message} at ${path}`, { path });
  }
  return { ...draft, hash: computeHash(draft) };
}

function checkPredecessor(prev: ThoughtRecord, taskId: string): void {
  if (prev.task_id !== taskId) {
    const message = `a record of task ${quote(String(taskId))} cannot follow one of task ${quote(prev.task_id)}`;
    throw new TrailError("foreign-predecessor", message, { path: "/task_id" });
  }
  if (!isSha256Hex(prev.hash) || computeHash(prev) !== prev.hash) {
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
