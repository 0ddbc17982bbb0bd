import type { ThoughtRecord } from "@agentprint/trail/record";

const FIELDS = ["id", "type", "task_id", "agent_id", "content", "timestamp", "prev_hash", "hash"] as const;

/**
 * Returns whether a value has a record's fields, so that it can be read; `verifyChain` checks the values of the fields.
 */
export function isReadable(value: unknown): value is ThoughtRecord {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  return FIELDS.every((field) => typeof fields[field] === "string");
}
