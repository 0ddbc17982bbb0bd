import { escapeText } from "@agentprint/canonical-json";
import type { ChainReport } from "@agentprint/trail/chain";

/** Why a {@link TrailStoreError} was thrown. */
export type TrailStoreErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /** A statement tried to change or delete a record, which the database refuses. Append another record instead. */
  | "append-only"
  /** Another process kept the database locked for too long. Try again; the append did not happen. */
  | "busy"
  /** The database is damaged. Copy the database, and restore a backup. */
  | "corrupt"
  /** The database refused a statement for a reason that has no separate code. Look at `cause`. */
  | "database-error"
  /** The disk or the temporary folder has no room. Free space and append again. */
  | "disk-full"
  /**
   * The stored chain continues with different records than the imported chain. Keep both chains, and find out which is
   * genuine.
   */
  | "diverged"
  /** The task already has a record with this id and different content. Give the new record another id. */
  | "id-conflict"
  /** A page's `after` or `limit` is not an integer, or is below its minimum. Correct the number. */
  | "invalid-page"
  /** The chain has a problem or contradicts a signed checkpoint, so it is never signed. Look at `report`. */
  | "invalid-trail"
  /** The tables are not this package's, or a newer version made them. Name another database, or update this package. */
  | "not-a-trail-store"
  /**
   * No accepted checkpoint covers the records to drop, or older records would be left. Sign the records with
   * `checkpointBefore`, or move the older ones to a separate partition, as the message says.
   */
  | "not-droppable"
  /** The database stored fewer rows than it was given, without an error. Check the database and append again. */
  | "not-stored"
  /** Records were dropped while they were read, so that the output has a gap. Read again, and discard this output. */
  | "overtaken"
  /** The signer key is missing, cannot be read, or belongs to another name. Name the file of the right key. */
  | "signer-key"
  /** A text is longer than its field allows. Shorten it. */
  | "too-large"
  /**
   * The database or its file cannot be reached at the moment; a change may or may not have happened. Check what is
   * stored before you append again.
   */
  | "unavailable"
  /** A text has a lone surrogate or U+0000, which databases cannot store. Remove the character. */
  | "unsupported-text"
  /** No driver can open the URL. Use one of the forms that the message lists. */
  | "unsupported-url"
  /** A checkpoint has a signature with the name of a signer that has no verifier. Pass that signer's verifier. */
  | "unverifiable-checkpoint";

/**
 * The one error class of this package. `code` is the reason, `path` is the JSON Pointer of the field that the error is
 * about, and `report` is the report on a refused trail. Errors from `@agentprint/trail`, such as `invalid-thought`, are
 * thrown unchanged.
 *
 * @example
 * ```ts
 * import { openTrailStore, TrailStoreError } from "@agentprint/trail-store";
 *
 * try {
 *   await openTrailStore("mysql://localhost/trail");
 * } catch (error) {
 *   console.log(error instanceof TrailStoreError && error.code); // "unsupported-url"
 * }
 * ```
 */
export class TrailStoreError extends Error {
  override readonly name = "TrailStoreError";
  readonly code: TrailStoreErrorCode;
  readonly path: string | undefined;
  readonly report: ChainReport | undefined;

  constructor(
    code: TrailStoreErrorCode,
    message: string,
    details: { readonly path?: string; readonly report?: ChainReport; readonly cause?: unknown } = {},
  ) {
    super(escapeText(message), "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.path = details.path;
    this.report = details.report;
  }
}

/** @throws {@link TrailStoreError} `not-stored` when a database stored fewer rows than it was given, without an error. */
export function checkStored(stored: number, given: number): void {
  if (stored === given) return;
  const message = `the database stored ${stored} of ${given} rows: a trigger or rule on its tables kept the others out`;
  throw new TrailStoreError("not-stored", message);
}

/**
 * @throws {@link TrailStoreError} `invalid-page` when a page's `after` or `limit` is not an integer, or is below `min`.
 */
export function checkWhole(name: string, value: number, min: number): void {
  if (Number.isSafeInteger(value) && value >= min) return;
  const message = `${name}: expected a whole number of at least ${min}, received ${String(value)}`;
  throw new TrailStoreError("invalid-page", message, { path: `/${name}` });
}

/** Returns the error for an operation that needs a partitioned store. */
export function notPartitioned(): TrailStoreError {
  const message =
    "the tables are not partitioned, and records are dropped by partition: `agentprint trail partition` partitions a PostgreSQL store";
  return new TrailStoreError("not-a-trail-store", message);
}
