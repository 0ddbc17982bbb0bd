import type { ThoughtRecord } from "@agentprint/trail";
import type { Kysely } from "kysely";
import type { ThoughtInput } from "./plan-append.ts";

/** An open transaction in a trail store's database, see `TrailStore.transact`. */
export interface TrailTransaction<Tables> {
  /** Runs statements on the caller's own tables in the transaction. */
  readonly db: Kysely<Tables>;
  /** Records a thought after the head of its task as part of the transaction. */
  readonly append: (input: ThoughtInput) => Promise<ThoughtRecord>;
}
