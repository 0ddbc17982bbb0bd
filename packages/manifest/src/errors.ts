import { escapeText } from "@agentprint/canonical-json";
import type { ManifestIssue, ManifestIssueCode } from "./issue.ts";

/** The codes of {@link ManifestError}. */
export type ManifestErrorCode =
  | ManifestIssueCode
  | "DUPLICATE_CALL_ID"
  | "INVALID_ARGUMENTS"
  | "INVALID_OPTION"
  | "INVALID_PREVIOUS"
  | "INVALID_RESPONSE"
  | "INVALID_STATE"
  | "INVALID_TOOL_CALL"
  | "TOO_MANY_CALLS"
  | "UNKNOWN_TOOL";

/**
 * The one error class of this package. {@link parseManifest}, which reads untrusted input, returns issues and throws nothing.
 *
 * `code` is the reason, `path` the RFC 6901 JSON Pointer of the value that is wrong, `issues` every problem of a manifest that
 * was refused, and `status` the HTTP status of a server's answer: 413 for `MANIFEST_TOO_LARGE`, else 422.
 *
 * @example
 * ```ts
 * import { ManifestError, publishManifest } from "@agentprint/manifest";
 *
 * try {
 *   publishManifest(undefined, "{}");
 * } catch (error) {
 *   if (!(error instanceof ManifestError)) throw error;
 *   console.log(error.code, error.path, error.status, error.issues.length); // MISSING_FIELD /schema_version 422 5
 * }
 * ```
 */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  readonly code: ManifestErrorCode;
  /** RFC 6901 JSON Pointer; `""` is the root. */
  readonly path: string;
  readonly issues: readonly ManifestIssue[];

  constructor(code: ManifestErrorCode, path: string, message: string, issues: readonly ManifestIssue[] = []) {
    super(escapeText(`${message} (${path === "" ? "at the root" : `at ${path}`})`));
    this.code = code;
    this.path = path;
    this.issues = issues;
  }

  /** The HTTP status with which a server answers the sender of the value. */
  get status(): 413 | 422 {
    return this.code === "MANIFEST_TOO_LARGE" ? 413 : 422;
  }
}
