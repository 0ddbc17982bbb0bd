import type { TreeHead } from "@agentprint/trail/chain";
import type { ThoughtRecord } from "@agentprint/trail/record";
import { RecorderError } from "../errors.ts";

/** A record without its place in the chain. */
export type SinkThought = Omit<ThoughtRecord, "hash" | "prev_hash">;

/** An earlier session whose process ended without recording the end. */
export interface UnendedSession {
  /** The session, which is the task of its chain. */
  readonly session: string;
  /** Hash of the last record; `undefined` if there is none. */
  readonly head: string | undefined;
  /** The number of bytes of a partial line that were cut from its end: a record that was never acknowledged. */
  readonly cut: number;
}

/** The place where the chain of one session is written. */
export interface Sink {
  /**
   * Appends the records of all batches after the head, all of them or none. Once the promise is fulfilled, they survive
   * a crash of the machine. Appending the same records again after a failure writes them once. Throws `taken-over` once
   * another process has taken the session over: then nothing more is acknowledged.
   */
  readonly append: (stretches: AsyncIterable<readonly SinkThought[]>) => Promise<void>;
  /** Returns the earlier sessions without an end; `isEnd` recognizes the record that ends one. */
  readonly findUnended: (isEnd: (record: ThoughtRecord) => boolean) => Promise<readonly UnendedSession[]>;
  /** Remembers that these sessions were reported. */
  readonly settle: (reported: readonly UnendedSession[]) => Promise<void>;
  /** Returns the tree head for a checkpoint of the chain. */
  readonly treeHead: () => Promise<TreeHead>;
  /** Releases the sink's resources; with `ended`, the session is complete. */
  readonly close: (ended: boolean) => Promise<void>;
}

/** Returns the error for a session whose name is already used; it says how to choose another name. */
export function sessionExists(session: string, store: string): RecorderError {
  const message = `${store} already has session ${JSON.stringify(session)}: give each run its own sessionId, such as ${JSON.stringify(`${session.slice(0, 100)}-2`)}, or none, for a UUID`;
  return new RecorderError("session-exists", message, { path: "sessionId" });
}
