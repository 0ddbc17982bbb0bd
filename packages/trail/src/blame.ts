import { computeHash, THOUGHT_TYPES, type ThoughtRecord } from "./schema.ts";

/**
 * The JSON Pointer of the one field whose change explains why `record.hash` does not match, where it can be told:
 * undoing the change must give `record.hash` back.
 */
export function blameField(record: ThoughtRecord, expected: { prevHash: string; taskId: string | null }): string {
  const matches = (change: Partial<ThoughtRecord>): boolean => computeHash({ ...record, ...change }) === record.hash;
  if (record.prev_hash !== expected.prevHash && matches({ prev_hash: expected.prevHash })) return "/prev_hash";
  if (expected.taskId !== null && matches({ task_id: expected.taskId })) return "/task_id";
  return THOUGHT_TYPES.some((type) => matches({ type })) ? "/type" : "";
}
