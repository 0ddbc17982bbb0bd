import type { CanonicalizeOptions } from "@agentprint/canonical-json";

/** The one canonical text of this package: sorted `JSON.stringify`. */
export const PROFILE: CanonicalizeOptions = { profile: "ecmascript" };

/** The six fields that `computeHash` covers (§3). */
export interface HashedFields {
  id: string;
  type: string;
  task_id: string;
  content: string;
  timestamp: string;
  prev_hash: string;
}

/** The plain object that `computeHash` hashes: the six covered fields of `record` and no other (§2g). */
export function thoughtCanonicalPayload(record: HashedFields): HashedFields {
  return {
    id: record.id,
    type: record.type,
    task_id: record.task_id,
    content: record.content,
    timestamp: record.timestamp,
    prev_hash: record.prev_hash,
  };
}
