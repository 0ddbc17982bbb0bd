import { escapeText } from "@agentprint/canonical-json";
import type { ChainReport } from "@agentprint/trail/chain";

/** What a {@link TrailStoreError} can say went wrong. */
export type TrailStoreErrorCode =
  | "append-only"
  | "busy"
  | "corrupt"
  | "disk-full"
  | "diverged"
  | "id-conflict"
  | "invalid-trail"
  | "not-a-trail-store"
  | "too-large"
  | "unavailable"
  | "unsupported-text"
  | "unsupported-url";

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
