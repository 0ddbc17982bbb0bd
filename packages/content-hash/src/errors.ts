import { escapeText } from "@agentprint/canonical-json/text";

/** The codes of {@link ContentHashError}. */
export type ContentHashErrorCode =
  | "BINARY_CONTENT"
  | "CANCELLED"
  | "INVALID_CONTENT"
  | "INVALID_TREE"
  | "MALFORMED_TEXT"
  | "NOT_A_FILE"
  | "NOT_FOUND"
  | "READ_FAILED"
  | "SYMBOLIC_LINK"
  | "UNKNOWN_LEVEL";

/**
 * The one error of this package: a text or a file that has no hash at the level asked for.
 *
 * @example
 * ```ts
 * import { ContentHashError, computeTextHash } from "@agentprint/content-hash";
 *
 * try {
 *   computeTextHash("half an emoji: \ud83d");
 * } catch (error) {
 *   console.log(error instanceof ContentHashError && `${error.code} at ${error.offset}`); // "MALFORMED_TEXT at 15"
 * }
 * ```
 */
export class ContentHashError extends Error {
  override readonly name = "ContentHashError";
  readonly code: ContentHashErrorCode;
  /** 0-based offset of the fault in the content: in UTF-16 code units of a text, or in bytes. */
  readonly offset: number | undefined;

  constructor(code: ContentHashErrorCode, message: string, options: { cause?: unknown; offset?: number } = {}) {
    super(escapeText(message), options);
    this.code = code;
    this.offset = options.offset;
  }
}
