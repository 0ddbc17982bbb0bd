import { escapeText, type PathSegment, toPointer } from "@agentprint/canonical-json";

/** The reasons that a {@link CapabilityError} can have. */
export type CapabilityErrorCode =
  /** The context's signal fired before the work was done. Start again with a new signal. */
  | "aborted"
  /** A toolkit's `create` function threw. Look at `cause` and correct the function. */
  | "create-failed"
  /** A toolkit contains itself. Remove it from its own members. */
  | "cycle"
  /** Two different enabled tools have the same name. Rename one, or let a policy disable it. */
  | "duplicate-tool"
  /** A hook threw. Look at `cause` and correct the hook. */
  | "hook-failed"
  /**
   * An argument has the wrong form, such as a provider's own tool. Pass the form that the message expects.
   */
  | "invalid-argument"
  /** The context holds a value that cannot be copied as data, such as a function. Pass plain data. */
  | "invalid-context"
  /** The input of a call does not match the tool's schema. Correct the input at `path`. */
  | "invalid-input"
  /** A capability link or a list of tools is malformed. Pass it as it was created; `path` names the wrong member. */
  | "invalid-link"
  /** A tool's schema is not JSON Schema. Correct the schema of the tool that the message names. */
  | "invalid-schema"
  /** A tool or a snapshot from elsewhere is malformed. Create it again; `path` names the wrong member. */
  | "invalid-wire"
  /** A tool without a handler was called. Pass a handler for it to the adapter. */
  | "missing-handler"
  /**
   * A schema cannot write its JSON Schema, and `requireTransparentSchemas` is set. Use a schema that can, or pass a
   * JSON Schema.
   */
  | "opaque-schema"
  /** A policy that allowed the tool at evaluation denies it now. Do not call the tool, or evaluate again. */
  | "policy-denied"
  /** A policy threw or returned something other than a decision. Look at `cause` and correct the policy. */
  | "policy-failed"
  /**
   * A schema threw, or wrote something that is not JSON Schema. Correct the schema of the tool that the message names.
   */
  | "schema-failed"
  /** Toolkits or a context nest more levels than are allowed. Flatten them. */
  | "too-deep"
  /** A schema wrote two different JSON Schemas, so it has no digest. Make it write the same one each time. */
  | "unstable-schema";

/** One reason why an input does not match a tool's schema. */
export interface InputIssue {
  /** RFC 6901 JSON Pointer into the input; `""` is the root. */
  readonly path: string;
  readonly message: string;
}

/** The details of a {@link CapabilityError} in addition to its code and message. */
export interface CapabilityErrorDetails {
  /** Path to the offending value, from the root. */
  readonly path?: Iterable<PathSegment>;
  readonly cause?: unknown;
  readonly policyId?: string;
  readonly toolName?: string | undefined;
  readonly issues?: readonly InputIssue[];
}

/**
 * The one error class of this package. `code` is the reason. `path` (a JSON Pointer), `policyId`, `toolName` and `issues`
 * name the place, if they apply. `cause` is what a policy, hook, schema or getter threw.
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
  /** RFC 6901 JSON Pointer to the offending value, if there is one. */
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
 * Runs `read`, which calls the caller's code: getters, proxies, iterators. If that code throws, the caller gets a
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

/** Returns the message of a thrown value. The value may be anything, and converting it to a string may itself throw. */
export function reasonOf(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return "the thrown value cannot be shown";
  }
}
