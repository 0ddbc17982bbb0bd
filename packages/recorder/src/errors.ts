import { escapeText } from "@agentprint/canonical-json/text";

/** Why a {@link RecorderError} was thrown. */
export type RecorderErrorCode =
  /** The encrypted content is not what the key encrypted at this place. Treat the record as altered. */
  | "altered"
  /** The recorder is closed. Record before `close()`, or open another recorder. */
  | "closed"
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /** A member of the event is missing, unknown, or malformed. Correct the member at `path`. */
  | "invalid-event"
  /** The key does not have 32 bytes, or its file is malformed. Pass the key that the recorder created. */
  | "invalid-key"
  /** An option of the recorder is invalid. Correct the option at `path`. */
  | "invalid-option"
  /**
   * The event will not be recorded because the store failed or did not write in time. Check the store; the trail states
   * how many events are missing.
   */
  | "lost"
  /** The text is not an encrypted content. Read it as plain text. */
  | "not-encrypted"
  /** An event or its content was left out because it could not be redacted or stored in time. Look at `cause`. */
  | "not-recorded"
  /** The store already has a chain of this session. Choose another `sessionId`, or resume the session. */
  | "session-exists"
  /**
   * Another process took over the session while this one was silent; `lost` counts the events without a record. Let
   * only one process write a session.
   */
  | "taken-over"
  /** The key file can be neither read nor created. Check the path and its permissions. */
  | "unavailable"
  /**
   * The platform or the installed `ai` lacks a part that the recorder needs. Update the platform or `ai`; the message
   * names the part.
   */
  | "unsupported"
  /** Another key encrypted the content. Use the key whose id the message names. */
  | "wrong-key";

/**
 * The only error class of this package. `code` is the reason; `path` is what the error is about: the JSON Pointer of an
 * event's member, or the name of an option. Errors of `@agentprint/trail-store` are the `cause` of `unavailable`, with
 * their `name` and `code`, because most come from another thread and lose their class.
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
