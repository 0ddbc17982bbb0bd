import type { ThoughtRecord } from "@agentprint/trail";

/** A record in the table of `@agentprint/trail-store`. */
export interface StoredRecord extends ThoughtRecord {
  readonly position: number;
}

/** A signed checkpoint in the table of `@agentprint/trail-store`. */
export interface StoredCheckpoint {
  readonly task_id: string;
  readonly size: number;
  readonly note: string;
}
