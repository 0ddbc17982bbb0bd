import { escapeText } from "@agentprint/canonical-json";
import type { ChainReport } from "@agentprint/trail/chain";

/** Why a {@link TrailStoreError} was thrown. */
export type TrailStoreErrorCode =
  | "append-only"
  | "busy"
  | "corrupt"
  | "database-error"
  | "disk-full"
  | "diverged"
  | "id-conflict"
  | "invalid-page"
  | "invalid-trail"
  | "not-a-trail-store"
  | "not-stored"
  | "signer-key"
  | "too-large"
  | "unavailable"
  | "unsupported-text"
  | "unsupported-url"
  | "unverifiable-checkpoint";

/**
 * The error of a store. `code` is the reason; `path` is the JSON Pointer of the field that the error is about; `report` is
 * the report on a trail that was refused. Errors of `@agentprint/trail`, such as `invalid-thought`, are thrown unchanged.
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

/** @throws {@link TrailStoreError} `invalid-page` when a number of a page is not whole, or below `min`. */
export function checkWhole(name: string, value: number, min: number): void {
  if (Number.isSafeInteger(value) && value >= min) return;
  const message = `${name}: expected a whole number of at least ${min}, received ${String(value)}`;
  throw new TrailStoreError("invalid-page", message, { path: `/${name}` });
}
