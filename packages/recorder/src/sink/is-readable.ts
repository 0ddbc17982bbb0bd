import type { ThoughtRecord } from "@agentprint/trail/record";

const FIELDS = ["id", "type", "task_id", "agent_id", "content", "timestamp", "prev_hash", "hash"] as const;

/** Returns whether a value has the fields of a record, so that it can be read; `verifyChain` checks their values. */
export function isReadable(value: unknown): value is ThoughtRecord {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  return FIELDS.every((field) => typeof fields[field] === "string");
}
