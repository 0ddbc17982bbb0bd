import type { NoteSigner } from "@agentprint/trail/checkpoint";
import type { ContentKeys } from "../encrypt/content-keys.ts";
import type { RecorderError } from "../errors.ts";

/** Where signed checkpoints of the chain are sent, so that rewriting the chain is detected. */
export interface CheckpointTarget {
  /** The name of the log. The checkpoint of a session has the origin `<origin>/<session>`. */
  readonly origin: string;
  readonly signer: NoteSigner;
  /**
   * A function, the path of a file that is replaced atomically, or the `https:` URL that each note is posted to
   * (`http:` on this machine only).
   */
  readonly to: string | ((note: string, origin: string) => Promise<void> | void);
  /** Milliseconds between two checkpoints while the chain grows. Default 60,000. Another one is sent at the end. */
  readonly everyMs?: number;
}

/** How `createRecorder` records. */
export interface RecorderOptions {
  /**
   * A folder, in which each session gets a JSON Lines file; or the URL of a store: `file:trail.db`, `sqlite:trail.db`,
   * `postgres://user@host/database`.
   */
  readonly store: string;
  /** A secret of at least 32 random bytes (HMAC-SHA-256), or a signer of notes (Ed25519). */
  readonly key: NoteSigner | Uint8Array;
  /** The acting agent. */
  readonly agentId: string;
  /**
   * The name of this session, and of the task of its chain. A store accepts each name only once, even after a crash. Default: a UUID of
   * version 7.
   */
  readonly sessionId?: string;
  /**
   * `behind` (default): an event is recorded after the call, which waits only while the queue is long. `before`: the
   * call waits until the event is durable.
   */
  readonly mode?: "before" | "behind";
  /** The time in milliseconds to gather events into one write, at most 50. Default 20; in mode `before` 0. */
  readonly groupMs?: number;
  /**
   * The most bytes of waiting events, up to 48 MiB. Events that do not fit are lost, and a gap says how many.
   * Default 32 MiB.
   */
  readonly maxQueueBytes?: number;
  /** How many milliseconds `close` waits for a store that does not write. Default 5,000. */
  readonly closeWithinMs?: number;
  readonly checkpointTo?: CheckpointTarget;
  /**
   * Encrypts contents with a key for this session, which is created in this key store: the attributes of events, the digests of
   * contents, and thoughts. Without its key no one can read them, but the chain stays intact.
   */
  readonly encrypt?: ContentKeys;
  /**
   * Whether a separate thread seals and writes (default), if available. With `false`, the calling thread does: the
   * session begins some 60 milliseconds sooner and takes some 20 MB less.
   */
  readonly thread?: boolean;
  /**
   * Called once when the store begins to fail or a checkpoint cannot be sent, whenever events are lost, and with `taken-over` when
   * another process took the session over.
   */
  readonly onError?: (error: RecorderError) => void;
}
