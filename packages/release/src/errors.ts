/** The codes of {@link ReleaseError}. */
export type ReleaseErrorCode =
  /** The text is not a file of declared renames. Correct the member at `path`. */
  | "invalid-aliases"
  /** The text is not an npm or PyPI version. Write a version such as `1.2.3`. */
  | "invalid-version"
  /** The text has no front matter that names packages with `patch`, `minor` or `major`. Write the front matter. */
  | "invalid-changeset";

/**
 * The error that this package throws.
 *
 * `path` is the RFC 6901 JSON Pointer to the wrong part, and `expected` describes a valid value there.
 *
 * @example
 * ```ts
 * import { parseAliases, ReleaseError } from "@agentprint/release";
 *
 * try {
 *   parseAliases('{ "tools": { "read": 1 } }');
 * } catch (error) {
 *   if (!(error instanceof ReleaseError)) throw error;
 *   console.log(error.code, error.path); // invalid-aliases /tools/read
 * }
 * ```
 */
export class ReleaseError extends Error {
  override readonly name = "ReleaseError";
  readonly code: ReleaseErrorCode;
  readonly path: string;
  readonly expected: string;

  constructor(
    code: ReleaseErrorCode,
    message: string,
    { path = "", expected }: { readonly path?: string; readonly expected: string },
    cause?: unknown,
  ) {
    super(message, { cause });
    this.code = code;
    this.path = path;
    this.expected = expected;
  }
}
