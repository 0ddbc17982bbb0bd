import type { ThoughtRecord } from "@agentprint/trail";

/** A record in a table that belongs to `@agentprint/trail-store`. */
export interface StoredRecord extends ThoughtRecord {
  readonly position: number;
}

/** A signed checkpoint in a table that belongs to `@agentprint/trail-store`. */
export interface StoredCheckpoint {
  readonly task_id: string;
  readonly size: number;
  readonly note: string;
}
