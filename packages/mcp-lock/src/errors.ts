import { escapeText, printable } from "@agentprint/canonical-json";

/** The codes of {@link McpLockError}. */
export type McpLockErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /**
   * The text is not strict JSON. Correct it at the line and column in the message; a merge may have left conflict
   * markers.
   */
  | "invalid-json"
  /** A member of the lock is missing, unknown or malformed. Restore the file from version control, or pin again. */
  | "invalid-lock"
  /** Another version of agentprint wrote the lock. Install the newest one, or remove the lock and pin again. */
  | "unsupported-lock-version"
  /**
   * A definition does not match its digest in the file, so the file was edited. Restore it from version
   * control.
   */
  | "digest-mismatch"
  /**
   * Two different tools, or two other items of the same kind, have the same name in one session. Correct the server.
   */
  | "duplicate-name"
  /** A definition is not a JSON object that can be hashed. Correct the server at the place in the message. */
  | "invalid-definition"
  /** A content differed between two readings. Correct the server, or omit the content. */
  | "server-unstable"
  /**
   * A member differs between two answers and is not listed as unstable. Correct the server, or list the member as
   * unstable.
   */
  | "unstable-member"
  /**
   * A member that should be allowed to vary is part of the contract, does not exist, or is named twice. Name a text,
   * `default`, `examples`, `_meta`, or the order of `enum` or `required`.
   */
  | "cannot-vary"
  /** The text of the lock would be longer than 64 MiB. Split the servers across several locks. */
  | "too-large";

/**
 * The error that this package throws: a definition cannot be fingerprinted, or a lock file cannot be trusted.
 *
 * `code` is the reason, and `path` is the JSON Pointer (RFC 6901) of the value. If the text is not strict JSON, `line`
 * and `column` (1-based) are the place in the lock file.
 *
 * @example
 * ```ts
 * import { McpLockError, parseLock } from "@agentprint/mcp-lock";
 *
 * try {
 *   parseLock('{"lockVersion": 3, "servers": []}');
 * } catch (error) {
 *   console.log(error instanceof McpLockError && `${error.code} at ${error.path}`); // unsupported-lock-version at /lockVersion
 * }
 * ```
 */
export class McpLockError extends Error {
  override readonly name = "McpLockError";
  readonly code: McpLockErrorCode;
  /** A JSON Pointer (RFC 6901); `""` is the root. */
  readonly path: string;
  /** The message without the path. */
  readonly reason: string;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(
    code: McpLockErrorCode,
    path: string,
    message: string,
    options: { cause?: unknown; line?: number | undefined; column?: number | undefined } = {},
  ) {
    super(escapeText(`${message} (${path === "" ? "at the root" : `at ${printable(path)}`})`), {
      cause: options.cause,
    });
    this.code = code;
    this.path = path;
    this.reason = message;
    this.line = options.line;
    this.column = options.column;
  }
}
