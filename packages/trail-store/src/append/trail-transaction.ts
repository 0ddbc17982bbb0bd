import type { ThoughtRecord } from "@agentprint/trail";
import type { Kysely } from "kysely";
import type { ThoughtInput } from "./plan-append.ts";

/** An open transaction of the database that a trail store is in, see `TrailStore.transact`. */
export interface TrailTransaction<Tables> {
  /** Runs statements in the transaction, on the caller's own tables. */
  readonly db: Kysely<Tables>;
  /** Records a thought after the head of its task, as a part of the transaction. */
  readonly append: (input: ThoughtInput) => Promise<ThoughtRecord>;
}
