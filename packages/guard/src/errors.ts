import { escapeText } from "@agentprint/canonical-json/text";

/** The codes of {@link GuardError}. */
export type GuardErrorCode =
  /** The lock has no entry of the server. */
  | "not-locked"
  | "invalid-option"
  /** A message or a definition of another library cannot be written as JSON. */
  | "not-json"
  /** A guarded transport is used before its start or after its end. */
  | "not-connected"
  /** The tools of a framework could not be listed or read. */
  | "not-listed"
  /** A call of a tool of a framework, or its result, is not let through. */
  | "refused";

/**
 * The one error of this package: a guard cannot be made. Steps and events report the
 * outcome for messages; in a framework, a refused call ends with this error, whose message a model may read.
 *
 * @example
 * ```ts
 * import { createGuard, GuardError } from "@agentprint/guard";
 * import { DEFAULT_POLICY } from "@agentprint/policy";
 *
 * try {
 *   createGuard({ lock: { lockVersion: 2, servers: [] }, server: "files", policy: DEFAULT_POLICY });
 * } catch (error) {
 *   console.log(error instanceof GuardError && error.code); // not-locked
 * }
 * ```
 */
export class GuardError extends Error {
  override readonly name = "GuardError";
  readonly code: GuardErrorCode;

  constructor(code: GuardErrorCode, message: string, options?: ErrorOptions) {
    super(escapeText(message), options);
    this.code = code;
  }
}
