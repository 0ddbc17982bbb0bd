import { escapeText } from "@agentprint/canonical-json/text";

/** The codes of {@link ContentHashError}. */
export type ContentHashErrorCode =
  /** The content contains a NUL byte or is not UTF-8, and the level is for text. Hash it at the level `bytes`. */
  | "BINARY_CONTENT"
  /** The signal was aborted; its reason is the `cause`. Start again with a new signal. */
  | "CANCELLED"
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "INVALID_ARGUMENT"
  /** The content is neither text nor bytes. Pass one of them. */
  | "INVALID_CONTENT"
  /** The text is not a tree manifest, or was edited. Create the manifest from the folder again. */
  | "INVALID_TREE"
  /** The text has a lone surrogate, or the bytes are not UTF-8. Correct the text at the offset in the message. */
  | "MALFORMED_TEXT"
  /** The path is a folder, a device, a pipe or a socket. Name a regular file. */
  | "NOT_A_FILE"
  /** There is nothing at the path. Check the path. */
  | "NOT_FOUND"
  /** The file could not be read. Check its permissions; `cause` is the system's error. */
  | "READ_FAILED"
  /** The path is a symbolic link, and links are refused. Name the file itself, or allow links. */
  | "SYMBOLIC_LINK"
  /** The level of normalization does not exist. Use one of the levels that the message lists. */
  | "UNKNOWN_LEVEL";

/**
 * This package's only error class, for a text or a file that has no hash at the requested level.
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
  /** The 0-based offset of the fault in the content: in UTF-16 code units of a text, or in bytes. */
  readonly offset: number | undefined;

  constructor(code: ContentHashErrorCode, message: string, options: { cause?: unknown; offset?: number } = {}) {
    super(escapeText(message), options);
    this.code = code;
    this.offset = options.offset;
  }
}
