import { escapeText, type PathSegment, toPointer } from "@agentprint/canonical-json";

/** The reasons that a {@link CapabilityError} can have. */
export type CapabilityErrorCode =
  | "aborted"
  | "create-failed"
  | "cycle"
  | "duplicate-tool"
  | "hook-failed"
  | "invalid-argument"
  | "invalid-context"
  | "invalid-input"
  | "invalid-link"
  | "invalid-schema"
  | "invalid-wire"
  | "missing-handler"
  | "opaque-schema"
  | "policy-denied"
  | "policy-failed"
  | "schema-failed"
  | "too-deep"
  | "unstable-schema";

/** One reason why an input does not match a tool's schema. */
export interface InputIssue {
  /** RFC 6901 JSON Pointer into the input; `""` is the root. */
  readonly path: string;
  readonly message: string;
}

/** The details of a {@link CapabilityError} beside its code and message. */
export interface CapabilityErrorDetails {
  /** Path into the offending value, from its root. */
  readonly path?: Iterable<PathSegment>;
  readonly cause?: unknown;
  readonly policyId?: string;
  readonly toolName?: string | undefined;
  readonly issues?: readonly InputIssue[];
}

/**
 * The one error class of this package. `code` is the reason. `path` (a JSON Pointer), `policyId`, `toolName` and `issues`
 * name the place, where they apply. `cause` is what a policy, hook, schema or getter threw.
 *
 * @example
 * ```ts
 * import { CapabilityError, computeInvocationContextHash } from "@agentprint/agent-capabilities";
 *
 * try {
 *   computeInvocationContextHash({ user: { id: 1n } });
 * } catch (error) {
 *   console.log(error instanceof CapabilityError && error.code); // "invalid-context"
 *   console.log(error instanceof CapabilityError && error.path); // "/user/id"
 * }
 * ```
 */
export class CapabilityError extends Error {
  override readonly name = "CapabilityError";
  readonly code: CapabilityErrorCode;
  /** RFC 6901 JSON Pointer of the offending value, if there is one. */
  readonly path: string | undefined;
  readonly policyId: string | undefined;
  readonly toolName: string | undefined;
  readonly issues: readonly InputIssue[];

  constructor(code: CapabilityErrorCode, message: string, details: CapabilityErrorDetails = {}) {
    super(escapeText(message), "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.path = details.path === undefined ? undefined : toPointer(details.path);
    this.policyId = details.policyId;
    this.toolName = details.toolName;
    this.issues = details.issues ?? [];
  }
}

/**
 * Runs `read`, which calls code of the caller: getters, proxies, iterators. If that code throws, the caller gets a
 * {@link CapabilityError} with the thrown value as its `cause`. A `CapabilityError` passes through unchanged.
 */
export function guarded<T>(
  code: CapabilityErrorCode,
  what: string,
  read: () => T,
  details: CapabilityErrorDetails = {},
): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof CapabilityError) throw cause;
    throw new CapabilityError(code, `${what} cannot be read: ${reasonOf(cause)}`, { ...details, cause });
  }
}

/** The message of a thrown value. The value may be anything, and converting it to a string may throw again. */
export function reasonOf(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return "what was thrown cannot be shown";
  }
}
