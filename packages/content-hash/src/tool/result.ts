/** The reasons why the tool computed no hash. */
export type CodeHashNormalizedErrorCode =
  /** The call was cancelled before the hash was computed. Call again if the hash is still needed. */
  | "CANCELLED"
  /** The call had no arguments. Pass a JSON object with `content`. */
  | "MISSING_ARGUMENTS"
  /** The arguments are not a JSON object of the expected form. Correct the arguments. */
  | "DESERIALIZATION_ERROR"
  /** The arguments have no `content`. Pass the text to hash. */
  | "MISSING_CONTENT"
  /** `content` is not a string, or an option of the call is invalid. Pass a string. */
  | "INVALID_CONTENT"
  /** `content` has more bytes than the limit. Hash the file with `computeFileHash` instead. */
  | "CONTENT_TOO_LARGE"
  /** `content` contains a lone surrogate, so it cannot be encoded as UTF-8. Correct the text. */
  | "MALFORMED_TEXT"
  /** The call failed in a way that the tool did not expect. Report it, with the message. */
  | "UNEXPECTED_ERROR";

/** The answer of `code_hash_normalized`. Specification: 4.1 "v1 Output Schema". */
export interface CodeHashNormalizedResult {
  readonly success: boolean;
  /** 64 lowercase hex digits; `null` on an error. */
  readonly hash: string | null;
  /** The length of the content in UTF-8 bytes, as it was passed; 0 on an error. */
  readonly contentLength: number;
  readonly docPath: string | null;
  readonly label: string | null;
  readonly errorCode: CodeHashNormalizedErrorCode | null;
  readonly errorMessage: string | null;
}

/** The arguments that the result echoes. */
export interface Metadata {
  readonly docPath: string | null;
  readonly label: string | null;
}

const NO_METADATA: Metadata = { docPath: null, label: null };

export function succeed(hash: string, contentLength: number, { docPath, label }: Metadata): CodeHashNormalizedResult {
  return { success: true, hash, contentLength, docPath, label, errorCode: null, errorMessage: null };
}

export function fail(
  errorCode: CodeHashNormalizedErrorCode,
  errorMessage: string,
  { docPath, label }: Metadata = NO_METADATA,
): CodeHashNormalizedResult {
  return { success: false, hash: null, contentLength: 0, docPath, label, errorCode, errorMessage };
}
