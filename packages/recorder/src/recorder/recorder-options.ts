import type { NoteSigner } from "@agentprint/trail/checkpoint";
import type { ContentKeys } from "../encrypt/content-keys.ts";
import type { RecorderError } from "../errors.ts";

/** Where signed checkpoints of the chain are sent, so that a rewritten chain can be detected. */
export interface CheckpointTarget {
  /** The name of the log. A session's checkpoint has the origin `<origin>/<session>`. */
  readonly origin: string;
  readonly signer: NoteSigner;
  /**
   * A function, the path of a file that is replaced atomically, or the `https:` URL that each note is posted to
   * (`http:` on this machine only).
   */
  readonly to: string | ((note: string, origin: string) => Promise<void> | void);
  /**
   * The time between two checkpoints in milliseconds, while the chain grows. Default 60,000. One more is sent at the
   * end.
   */
  readonly everyMs?: number;
}

/** How `createRecorder` records. */
export interface RecorderOptions {
  /**
   * A folder in which each session gets a JSON Lines file, or the URL of a store: `file:trail.db`, `sqlite:trail.db`,
   * `postgres://user@host/database`.
   */
  readonly store: string;
  /** A secret of at least 32 random bytes (HMAC-SHA-256), or a note signer (Ed25519). */
  readonly key: NoteSigner | Uint8Array;
  /** The acting agent. */
  readonly agentId: string;
  /**
   * The name of this session, and of its chain's task. A store accepts each name only once, even after a crash.
   * Default: a version 7 UUID.
   */
  readonly sessionId?: string;
  /**
   * With `behind` (default), an event is recorded after the call, which waits only while the queue is long. With
   * `before`, the call waits until the event is durable.
   */
  readonly mode?: "before" | "behind";
  /** How long events are collected into one write, in milliseconds, at most 50. Default: 20; in mode `before`, 0. */
  readonly groupMs?: number;
  /**
   * The maximum size of all waiting events in bytes, up to 48 MiB. Events that do not fit are lost, and a gap states
   * how many. Default 32 MiB.
   */
  readonly maxQueueBytes?: number;
  /** How long `close` waits for a store that does not write, in milliseconds. Default 5,000. */
  readonly closeWithinMs?: number;
  readonly checkpointTo?: CheckpointTarget;
  /**
   * Encrypts contents (the attributes of events, the digests of contents, and thoughts) with a key for this session,
   * which is created in the given key store. Without that key, no one can read them, but the chain stays intact.
   */
  readonly encrypt?: ContentKeys;
  /**
   * Whether a separate thread, if available, seals and writes (default). With `false`, the calling thread does this;
   * the session then begins about 60 milliseconds sooner and takes about 20 MB less.
   */
  readonly thread?: boolean;
  /**
   * Called once when the store begins to fail or a checkpoint cannot be sent, whenever events are lost, and with
   * `taken-over` if another process took over the session.
   */
  readonly onError?: (error: RecorderError) => void;
}
