/** Why the tool did not hash. */
export type CodeHashNormalizedErrorCode =
  | "CANCELLED"
  | "MISSING_ARGUMENTS"
  | "DESERIALIZATION_ERROR"
  | "MISSING_CONTENT"
  | "INVALID_CONTENT"
  | "CONTENT_TOO_LARGE"
  | "MALFORMED_TEXT"
  | "UNEXPECTED_ERROR";

/** The answer of `code_hash_normalized`. Specification: 4.1 "v1 Output Schema". */
export interface CodeHashNormalizedResult {
  readonly success: boolean;
  /** 64 lowercase hex digits; `null` on an error. */
  readonly hash: string | null;
  /** UTF-8 bytes of the content as it was passed; 0 on an error. */
  readonly contentLength: number;
  readonly docPath: string | null;
  readonly label: string | null;
  readonly errorCode: CodeHashNormalizedErrorCode | null;
  readonly errorMessage: string | null;
}

/** The arguments that the result repeats. */
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
