import { escapeText } from "@agentprint/canonical-json/text";

/** Why a {@link RecorderError} was thrown. */
export type RecorderErrorCode =
  | "altered"
  | "closed"
  | "invalid-event"
  | "invalid-key"
  | "invalid-option"
  | "lost"
  | "not-encrypted"
  | "not-recorded"
  | "session-exists"
  | "taken-over"
  | "unavailable"
  | "unsupported"
  | "wrong-key";

/**
 * The error of this package. `code` is the reason; `path` is the JSON Pointer of the member of an event, or the name of the
 * option, that the error is about. Errors of `@agentprint/trail-store` are the `cause` of `unavailable`, with their `name` and `code`:
 * most come from another thread, where their class is lost.
 *
 * @example
 * ```ts
 * import { createMacKey, RecorderError } from "@agentprint/recorder";
 *
 * try {
 *   createMacKey(new Uint8Array(4));
 * } catch (error) {
 *   console.log(error instanceof RecorderError && error.code); // "invalid-key"
 * }
 * ```
 */
export class RecorderError extends Error {
  override readonly name = "RecorderError";
  readonly code: RecorderErrorCode;
  readonly path: string | undefined;

  constructor(
    code: RecorderErrorCode,
    message: string,
    details: { readonly path?: string; readonly cause?: unknown } = {},
  ) {
    super(escapeText(message), "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.path = details.path;
  }
}
