import { escapeText } from "@agentprint/canonical-json/text";

/** The codes of {@link GuardError}. */
export type GuardErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /** The lock has no entry for the server. Pin the server, or correct its name. */
  | "not-locked"
  /**
   * An option of the guard is invalid, or the client was connected before it was guarded. Correct the option; guard the
   * client before it connects.
   */
  | "invalid-option"
  /**
   * JSON cannot represent another library's message or definition. Correct the value at the place in the message.
   */
  | "not-json"
  /**
   * A guarded transport was used before its start or after its end. Await `start()`, and stop sending after `close()`.
   */
  | "not-connected"
  /** A framework's tools could not be listed or read. Look at `cause`, and list the tools again. */
  | "not-listed"
  /**
   * The guard refused a call of a framework's tool, or the call's result. The message names the rule; review the change
   * or the policy.
   */
  | "refused";

/**
 * This package's only error class, for a guard that cannot be created. The outcome for messages is reported by steps
 * and events; in a framework, a refused call ends with this error, and a model may read its message.
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
