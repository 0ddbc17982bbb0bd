import type { TreeHead } from "@agentprint/trail/chain";
import type { ThoughtRecord } from "@agentprint/trail/record";
import { RecorderError } from "../errors.ts";

/** A record without its place in the chain. */
export type SinkThought = Omit<ThoughtRecord, "hash" | "prev_hash">;

/** An earlier session whose process ended without recording the session's end. */
export interface UnendedSession {
  /** The session, which is also its chain's task. */
  readonly session: string;
  /** The hash of the last record; `undefined` if there is none. */
  readonly head: string | undefined;
  /**
   * The number of bytes of a partial line that were removed from its end, which belong to a record that was never
   * acknowledged.
   */
  readonly cut: number;
}

/** The place that one session's chain is written to. */
export interface Sink {
  /**
   * Appends either the records of all batches after the head, or none. Once the promise is fulfilled, the records
   * survive a crash of the machine. If the same records are appended again after a failure, they are written only once.
   * Throws `taken-over` once another process has taken over the session; nothing more is acknowledged after that.
   */
  readonly append: (stretches: AsyncIterable<readonly SinkThought[]>) => Promise<void>;
  /** Returns the earlier sessions without an end; `isEnd` recognizes the record that ends one. */
  readonly findUnended: (isEnd: (record: ThoughtRecord) => boolean) => Promise<readonly UnendedSession[]>;
  /** Notes that these sessions were reported. */
  readonly settle: (reported: readonly UnendedSession[]) => Promise<void>;
  /** Returns the tree head for a checkpoint of the chain. */
  readonly treeHead: () => Promise<TreeHead>;
  /** Releases the sink's resources; with `ended`, the session is complete. */
  readonly close: (ended: boolean) => Promise<void>;
}

/** Returns the error for a session whose name is already used, with advice on how to choose another name. */
export function sessionExists(session: string, store: string): RecorderError {
  const message = `${store} already has session ${JSON.stringify(session)}: give each run its own sessionId, such as ${JSON.stringify(`${session.slice(0, 100)}-2`)}, or none, for a UUID`;
  return new RecorderError("session-exists", message, { path: "sessionId" });
}
