import { escapeText } from "@agentprint/canonical-json";
import type { ChainReport } from "@agentprint/trail/chain";

/** Why a {@link TrailStoreError} was thrown. */
export type TrailStoreErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /** Something tried to change or delete a record, which the database refuses. Append another record instead. */
  | "append-only"
  /** Another process kept the database locked for too long. Try again; the append did not happen. */
  | "busy"
  /** The database is damaged. Copy it, and restore a backup. */
  | "corrupt"
  /** The database refused a statement for a reason that has no separate code. Look at `cause`. */
  | "database-error"
  /** The disk or the temporary folder has no room. Free space and append again. */
  | "disk-full"
  /** The stored chain continues with other records than the imported one. Keep both and find out which is genuine. */
  | "diverged"
  /** The task has a record with this id and other content. Give the new record another id. */
  | "id-conflict"
  /** A number of a page is not an integer, or below its least value. Correct the number. */
  | "invalid-page"
  /** The chain has a problem or contradicts a signed checkpoint, so it is never signed. Look at `report`. */
  | "invalid-trail"
  /** The tables are not those of this package, or a newer version made them. Name another database, or update. */
  | "not-a-trail-store"
  /**
   * No checkpoint that counts covers the records to drop, or older ones would be left. Sign them with
   * `checkpointBefore`, or move the older ones to a partition of their own, as the message says.
   */
  | "not-droppable"
  /** The database stored fewer rows than it was given, without an error. Check the database and append again. */
  | "not-stored"
  /** Records were dropped while they were read, so that the reading has a gap. Read again, and use nothing of this one. */
  | "overtaken"
  /** The key of the signer is missing, cannot be read, or belongs to another name. Name the file of the right key. */
  | "signer-key"
  /** A text is longer than its field allows. Shorten it. */
  | "too-large"
  /**
   * The database or its file cannot be reached at the moment; a change may or may not have happened. Read before you
   * append again.
   */
  | "unavailable"
  /** A text has a lone surrogate or U+0000, which databases cannot store. Remove the character. */
  | "unsupported-text"
  /** No driver can open the URL. Use one of the forms that the message lists. */
  | "unsupported-url"
  /** A checkpoint has a signature with the name of a signer that has no verifier. Pass the verifier of that signer. */
  | "unverifiable-checkpoint";

/**
 * The one error class of this package. `code` is the reason; `path` is the JSON Pointer of the field that the error is
 * about; `report` is the report on a trail that was refused. Errors of `@agentprint/trail`, such as `invalid-thought`,
 * are thrown unchanged.
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

/** @throws {@link TrailStoreError} `invalid-page` when a number of a page is not an integer, or below `min`. */
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
