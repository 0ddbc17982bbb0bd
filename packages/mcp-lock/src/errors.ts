import { escapeText, printable } from "@agentprint/canonical-json";

/** What a {@link McpLockError} can say went wrong. */
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
 * The one error of this package: a definition that cannot be fingerprinted, or a lock file that cannot be trusted.
 *
 * `code` is the reason, `path` the RFC 6901 JSON Pointer of the offending value, `line` and `column` (1-based) its
 * place in the lock file when the text itself is wrong.
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
