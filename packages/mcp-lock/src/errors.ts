import { escapeText, printable } from "@agentprint/canonical-json";

/** The codes of {@link McpLockError}. */
export type McpLockErrorCode =
  | "invalid-json"
  | "invalid-lock"
  | "unsupported-lock-version"
  | "digest-mismatch"
  | "duplicate-name"
  | "invalid-definition"
  | "server-unstable"
  | "unstable-member"
  | "too-large";

/**
 * The error of this package: a definition cannot be fingerprinted, or a lock file cannot be trusted.
 *
 * `code` is the reason and `path` the RFC 6901 JSON Pointer of the value. `line` and `column` (1-based) are the place in
 * the lock file where the text is no strict JSON.
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
  /** RFC 6901 JSON Pointer; `""` is the root. */
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
