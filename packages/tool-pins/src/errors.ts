import { CanonicalJsonError, escapeText, printable } from "@agentprint/canonical-json";

/** The codes of {@link ToolPinsError}. */
export type ToolPinsErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /**
   * A definition is not a JSON object with a name that can be hashed. Correct the server's definition at the place in
   * the message.
   */
  | "invalid-definition"
  /** Two different tools in a listing, or two tools in pins, have the same name. Correct the server, or pin again. */
  | "duplicate-name"
  /**
   * The text is not strict JSON. Pass the text as it was received or stored; a merge may have left conflict markers.
   */
  | "invalid-json"
  /** A newer version of agentprint wrote the pins. Read them with that version, or pin again. */
  | "unsupported-pin-version"
  /** A member of the pins is missing, unknown or malformed. Restore the pins, or pin again. */
  | "invalid-pins"
  /** A digest in the pins does not match the content that it covers: the pins were edited. Restore them, or pin again. */
  | "digest-mismatch"
  /** A text is, or would be, longer than 64 MiB. Pin without definitions. */
  | "too-large";

/**
 * Returns the error itself if it belongs to this package, and a coded error for anything else that was thrown. `path`
 * is the pointer to the value that was read.
 */
export function asPinsError(
  code: ToolPinsErrorCode,
  path: string,
  error: unknown,
  message = "The value cannot be read: pass plain data",
): ToolPinsError {
  if (isOf(ToolPinsError, error)) return error;
  if (!isOf(CanonicalJsonError, error)) return new ToolPinsError(code, path, message, { cause: error });
  const { line, column } = error;
  return new ToolPinsError(code, path + error.path, error.reason, { cause: error, line, column });
}

/** Runs a function and turns whatever it throws into an error of this package. */
export function coded<T>(code: ToolPinsErrorCode, run: () => T, message?: string): T {
  try {
    return run();
  } catch (error) {
    throw asPinsError(code, "", error, message);
  }
}

/** Returns whether an error is of a class. A getter may have thrown a proxy, which can refuse to answer. */
function isOf<T>(type: abstract new (...args: never) => T, error: unknown): error is T {
  try {
    return error instanceof type;
  } catch {
    return false;
  }
}

/**
 * The error of this package: a tool cannot be pinned, or pins cannot be trusted.
 *
 * `code` is the reason and `path` the RFC 6901 JSON Pointer to the value, in the listing or in the pins. `line` and
 * `column` (1-based) are the place of the fault in a text that is not strict JSON.
 *
 * @example
 * ```ts
 * import { pinTools, ToolPinsError } from "@agentprint/tool-pins";
 *
 * try {
 *   pinTools([{ name: "read" }, { name: null }]);
 * } catch (error) {
 *   console.log(error instanceof ToolPinsError && `${error.code} at ${error.path}`); // invalid-definition at /1/name
 * }
 * ```
 */
export class ToolPinsError extends Error {
  override readonly name = "ToolPinsError";
  readonly code: ToolPinsErrorCode;
  /** RFC 6901 JSON Pointer; `""` is the root. */
  readonly path: string;
  /** The message without the path. */
  readonly reason: string;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(
    code: ToolPinsErrorCode,
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
