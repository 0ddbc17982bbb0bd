import type { ThoughtRecord } from "@agentprint/trail";
import type { NoteSigner, NoteVerifier } from "@agentprint/trail/checkpoint";

/** The options of a store. */
export interface TrailStoreOptions {
  /** Whether a store is created if there is none. Default `true`; with `false` a missing store is an error. */
  readonly create?: boolean;
  /**
   * Whether the store is opened only for reading. Default `false`. With `true`, no byte of an SQLite file is changed
   * and no missing store is created. In PostgreSQL the role in the URL decides what may be written.
   */
  readonly readonly?: boolean;
  /** Returns the time for a timestamp. Default: the machine's clock. */
  readonly now?: () => Date;
  /** Returns the id for a record. Default: a version 7 UUID; these ids grow, so they are stored and verified faster. */
  readonly id?: () => string;
  /** For how many milliseconds an operation is retried while the database is busy or unreachable. Default 30,000. */
  readonly retryForMs?: number;
  /**
   * The limit in milliseconds for one PostgreSQL statement, for opening a connection and for waiting for a free one; a
   * lock may take three quarters of it. A connection that is silent for half a second longer is closed. The operation
   * then fails with `unavailable`, or with `busy` if it waited for a lock. Default: only a new connection has a limit,
   * of five seconds. SQLite has none.
   */
  readonly statementTimeoutMs?: number;
  /**
   * Whether the records are kept in partitions by the time of storing, so that old partitions can be dropped, see
   * `TrailStore.dropBefore`. Default `false`. This needs PostgreSQL; an existing store without partitions causes the
   * error `not-a-trail-store`, and `TrailStore.partition` converts it.
   */
  readonly partitioned?: boolean;
}

/** A time, or its text with an offset as PostgreSQL writes it, such as the end of a {@link Partition}. */
export type Time = Date | string;

/** A partition of the records, which are partitioned by the time of storing. */
export interface Partition {
  readonly name: string;
  /** Its records were stored at this time or later (ISO 8601); `null` if it has no beginning. */
  readonly from: string | null;
  /** Its records were stored before this time (ISO 8601). */
  readonly to: string;
  readonly records: number;
}

/** A page of records. */
export interface ThoughtPage {
  readonly records: readonly ThoughtRecord[];
  /** The value of `after` that gives the next page; `null` on the last page. */
  readonly next: number | null;
}

/** A record's canonical line and its place. */
export interface ExportedRow {
  readonly task: string;
  /** The record's 0-based position in its task. */
  readonly position: number;
  readonly line: string;
}

/** The options of `TrailStore.checkpoint`. */
export interface CheckpointOptions {
  readonly origin: string;
  readonly signers: readonly NoteSigner[];
  /**
   * The keys with whose stored checkpoints for this origin the chain must agree; include the log's earlier keys.
   * Default: the verifiers of `signers`.
   */
  readonly verifiers?: readonly NoteVerifier[];
  /** Whether the checkpoint covers the author of each record. Default `false`. */
  readonly authors?: boolean;
}
