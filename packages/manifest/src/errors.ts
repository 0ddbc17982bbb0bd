import { escapeText } from "@agentprint/canonical-json";
import type { ManifestIssue, ManifestIssueCode } from "./issue.ts";

/** The codes of {@link ManifestError}. */
export type ManifestErrorCode =
  | ManifestIssueCode
  /** A call with this `call_id` is already waiting. Give each call its own id. */
  | "DUPLICATE_CALL_ID"
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "INVALID_ARGUMENT"
  /** The arguments of a call do not match the tool's schema. Correct the arguments at the path in the message. */
  | "INVALID_ARGUMENTS"
  /** An option is wrong, such as a negative `timeoutMs`. Correct the option that the message names. */
  | "INVALID_OPTION"
  /** The previous version is invalid, or its hash does not match its manifest. Pass the version as it was published. */
  | "INVALID_PREVIOUS"
  /**
   * The result of a call does not have the form that the specification requires. Correct the program that sends the
   * result.
   */
  | "INVALID_RESPONSE"
  /** `state` is not the result of `state()`. Pass a state that this package made. */
  | "INVALID_STATE"
  /** The call does not have the form that the specification requires. Correct the member at the path in the message. */
  | "INVALID_TOOL_CALL"
  /** More calls wait for a response than the limit allows. Wait for some of them first. */
  | "TOO_MANY_CALLS"
  /** The manifest does not declare the tool. Call a declared tool, or publish a manifest that declares this one. */
  | "UNKNOWN_TOOL";

/**
 * The only error class of this package. {@link parseManifest}, which reads untrusted input, returns issues and never
 * throws.
 *
 * `code` is the reason, `path` the RFC 6901 JSON Pointer of the wrong value, `issues` every problem in a refused
 * manifest, and `status` the HTTP status for a server's answer: 413 for `MANIFEST_TOO_LARGE`, otherwise 422.
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

  /** The HTTP status with which a server responds to the sender of the value. */
  get status(): 413 | 422 {
    return this.code === "MANIFEST_TOO_LARGE" ? 413 : 422;
  }
}
