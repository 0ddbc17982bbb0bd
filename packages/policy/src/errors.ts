import { escapeText } from "@agentprint/canonical-json/text";

/** The codes of {@link PolicyError}. */
export type PolicyErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /** The value is not JSON, nests too deeply or is too large. Correct it at the place that the message names. */
  | "not-json"
  /** A member has a type that the schema of policies does not allow. Write the type that the message expects. */
  | "wrong-type"
  /** A member that a policy must have is missing. Add the member that the message names. */
  | "missing-member"
  /** The policy has a member that policies do not have. Correct its spelling, or remove it. */
  | "unknown-member"
  /** A member has a value that is not allowed in its place. Write a value that the message expects. */
  | "invalid-value"
  /** A server, a tool or a rule is named `__proto__`. Give it another name. */
  | "unsupported-name"
  /** There is no rule with this id. Look up the id with `agentprint rules`. */
  | "unknown-rule"
  /** No policy can decide about the rule. Remove the entry. */
  | "fixed-rule"
  /** One rule has two decisions, under two of its ids. Remove one of them. */
  | "two-decisions"
  /** `arguments` is not a JSON Schema, or has a keyword that JSON Schema does not define. Correct the keyword. */
  | "invalid-schema"
  /**
   * `path-within` or `url-host` is at a place where it could allow more calls. Move it next to the argument's type.
   */
  | "misplaced-keyword"
  /**
   * `arguments` accepts a call that the locked schema refuses. Narrow it, so that the call in the message is refused.
   */
  | "not-narrower"
  /**
   * It was not proven that the locked schema accepts every call that `arguments` accepts. Write simpler `arguments`.
   */
  | "unproven";

/**
 * The one error class of this package: a value is not a policy, or a policy requires something that cannot be enforced.
 *
 * `code` is the reason, `path` the RFC 6901 JSON Pointer of the invalid part of the policy, and `expected` the form of
 * a valid value there.
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
