import { escapeText } from "@agentprint/canonical-json";
import type { ChainReport } from "@agentprint/trail/chain";

/** What a {@link TrailStoreError} can say went wrong. */
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
  | "too-large"
  | "unavailable"
  | "unsupported-text"
  | "unsupported-url"
  | "unverifiable-checkpoint";

/**
 * The error of a store. `code` is the reason; `path` the JSON Pointer of the field it is about; `report` what was
 * found, where a trail was refused. Errors of `@agentprint/trail`, such as `invalid-thought`, come through unchanged.
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

/** @throws `TrailStoreError` `not-stored` where a database took fewer rows than it was given, without an error. */
export function checkStored(stored: number, given: number): void {
  if (stored === given) return;
  const message = `the database stored ${stored} of ${given} rows: a trigger or rule on its tables kept the others out`;
  throw new TrailStoreError("not-stored", message);
}
