import { escapeText } from "@agentprint/canonical-json/text";

/** The codes of {@link PolicyError}. */
export type PolicyErrorCode =
  /** The value is no JSON, nests too deeply or is too large. */
  | "not-json"
  | "wrong-type"
  | "missing-member"
  | "unknown-member"
  | "invalid-value"
  /** A server, a tool or a rule is named `__proto__`. */
  | "unsupported-name"
  | "unknown-rule"
  /** No policy decides about the rule. */
  | "fixed-rule"
  /** One rule has two decisions, under two of its ids. */
  | "two-decisions"
  /** `arguments` is not a JSON Schema, or has a keyword that JSON Schema does not have. */
  | "invalid-schema"
  /** `path-within` or `url-host` is at a place where it could allow more calls. */
  | "misplaced-keyword"
  /** `arguments` accepts a call that the locked schema refuses. */
  | "not-narrower"
  /** It was not proven that the locked schema accepts every call that `arguments` accepts. */
  | "unproven";

/**
 * The one error of this package: a value is no policy, or a policy asks for something that cannot be enforced.
 *
 * `code` is the reason, `path` the RFC 6901 JSON Pointer of the wrong part in the policy, `expected` the form of a
 * valid value there.
 *
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 * import { PolicyError, parsePolicy } from "@agentprint/policy";
 *
 * try {
 *   parsePolicy({ preset: "lax" }, DRIFT_CATALOG);
 * } catch (error) {
 *   if (!(error instanceof PolicyError)) throw error;
 *   console.log(error.code, error.path); // invalid-value /preset
 *   console.log(error.expected); // "strict", "compatible" or "breaking"
 * }
 * ```
 */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
  readonly code: PolicyErrorCode;
  /** RFC 6901 JSON Pointer; `""` is the root. */
  readonly path: string;
  readonly expected: string | undefined;

  constructor(code: PolicyErrorCode, path: string, message: string, expected?: string, options?: ErrorOptions) {
    const wanted = expected === undefined ? "" : `, expected ${expected}`;
    super(escapeText(`${message}${wanted} (${path === "" ? "at the root" : `at ${path}`})`), options);
    this.code = code;
    this.path = path;
    this.expected = expected;
  }
}
