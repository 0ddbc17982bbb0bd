import type { TreeHead } from "@agentprint/trail/chain";
import type { ThoughtType } from "@agentprint/trail/record";
import type { UnendedSession } from "../sink/sink.ts";

/** A record that is yet to be sealed. */
export interface ChainEntry {
  readonly id: string;
  readonly type: ThoughtType;
  readonly timestamp: string;
  /** The canonical text of an event, or the text of a thought. */
  readonly text: string;
  readonly isEvent: boolean;
}

/** Which chain to write, and where. */
export interface ChainOptions {
  readonly store: string;
  readonly sessionId: string;
  readonly agentId: string;
  /** Whether checkpoints of the chain will be requested. */
  readonly withTree: boolean;
}

/** The chain of one session, which seals and writes the session's records in this thread or in another one. */
export interface Chain {
  /**
   * Appends either all of the records after the head, or none. Once the promise is fulfilled, the records survive a
   * crash of the machine. If the same records are appended again after a failure, they are written only once.
   *
   * @param isSpread Whether to append in batches of about 200 microseconds with pauses, over about 10 milliseconds, so
   * that threads on the same processor do not have to wait.
   */
  readonly append: (entries: readonly ChainEntry[], isSpread?: boolean) => Promise<void>;
  /** Returns the earlier sessions without an end. */
  readonly findUnended: () => Promise<readonly UnendedSession[]>;
  /** Notes that these sessions were reported. */
  readonly settle: (reported: readonly UnendedSession[]) => Promise<void>;
  /** Returns the tree head for a checkpoint of the chain. */
  readonly treeHead: () => Promise<TreeHead>;
  /** Releases the chain's resources; with `ended`, the session is complete. */
  readonly close: (ended: boolean) => Promise<void>;
}
