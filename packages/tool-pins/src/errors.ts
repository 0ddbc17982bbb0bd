import { escapeText, printable } from "@agentprint/canonical-json";

/** The codes of {@link ToolPinsError}. */
export type ToolPinsErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /** A definition is not a JSON object with a name that can be hashed. Correct the server at the place in the message. */
  | "invalid-definition"
  /** Two different tools of a listing, or two tools of pins, have the same name. Correct the server, or pin again. */
  | "duplicate-name"
  /** The text is not strict JSON. Pass the text as it was received or stored; a merge may have left its marks. */
  | "invalid-json"
  /** A newer version of agentprint wrote the pins. Read them with that version, or pin again. */
  | "unsupported-pin-version"
  /** A member of the pins is missing, unknown or malformed. Restore the pins, or pin again. */
  | "invalid-pins"
  /** A digest in the pins does not match the content that it covers: the pins were edited. Restore them, or pin again. */
  | "digest-mismatch"
  /** A text is, or would be, longer than 64 MiB. Pin without definitions. */
  | "too-large";

/** The error itself, if it belongs to this package; for anything that a getter or a proxy threw, a coded error. */
export function asPinsError(code: ToolPinsErrorCode, path: string, error: unknown): ToolPinsError {
  if (error instanceof ToolPinsError) return error;
  return new ToolPinsError(code, path, "The value cannot be read: pass plain data", { cause: error });
}

/**
 * The error of this package: a tool cannot be pinned, or pins cannot be trusted.
 *
 * `code` is the reason and `path` the RFC 6901 JSON Pointer of the value, in the listing or in the pins. `line` and `column` (1-based) are the
 * place in a text that is not strict JSON.
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
