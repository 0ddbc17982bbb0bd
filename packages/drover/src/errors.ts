import {
  CanonicalJsonError,
  type CanonicalJsonErrorCode,
  escapeJsonText,
  escapeText,
} from "@agentprint/canonical-json";

/** The codes that a {@link SpecError} can have: this package's own, and the codes for a value that has no JSON text. */
export type SpecErrorCode =
  /**
   * An argument does not have the form that the function expects. Pass an argument in the form that the message
   * describes.
   */
  | "invalid-argument"
  /** The spec is not an object with the members that the hash covers. Pass the agent's settings as plain data. */
  | "invalid-spec"
  /**
   * The spec's system prompt is missing, or is neither text nor a function. Pass a system prompt, or name the key that
   * holds it.
   */
  | "missing-system-prompt"
  /** `plugins` is not an array, or a plugin has no id. Pass an array of plugins with ids. */
  | "invalid-plugins"
  /** There is no field list with this name. Use a name that the message lists. */
  | "unknown-coverage"
  /**
   * A schema gave two different JSON Schemas, so it has no digest. Make the schema give the same JSON Schema each time.
   */
  | "unstable-schema"
  | CanonicalJsonErrorCode;

/**
 * The error for a spec that cannot be hashed because it lacks a system prompt or contains a cycle, a bigint or a value
 * whose content JSON cannot see.
 *
 * `code` is the reason. `path` is the RFC 6901 JSON Pointer of the offending value in the spec.
 *
 * @example
 * ```ts
 * import { hashSpec, SpecError } from "@agentprint/drover";
 *
 * try {
 *   hashSpec({ id: "writer", systemPrompt: "Write.", quota: { tokens: 10n } });
 * } catch (error) {
 *   console.log(error instanceof SpecError && `${error.code} ${error.path}`); // "bigint /quota/tokens"
 * }
 * ```
 */
export class SpecError extends TypeError {
  override readonly name = "SpecError";
  readonly code: SpecErrorCode;
  /** RFC 6901 JSON Pointer into the spec; `""` is the root. */
  readonly path: string;

  constructor(code: SpecErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(escapeText(message), options);
    this.code = code;
    this.path = path;
  }
}

/** Why a run cannot resume. */
export type ResumeErrorCode =
  /** The storage threw an error while it loaded the run. Read `cause` and resume again. */
  | "load-run-failed"
  /** The storage has no run with this id. Check the id. */
  | "run-not-found"
  /** The run is not paused, so it cannot resume. Resume only runs whose status is `paused`. */
  | "run-not-paused"
  /** The run was recorded for another agent. Resume it with the other agent's spec. */
  | "agent-mismatch"
  /** The spec contains a value that cannot be hashed. Read `cause` and correct the spec. */
  | "spec-unhashable"
  /**
   * Neither a hash nor a fingerprint of the spec was recorded with the run, so drift cannot be detected. Start the run
   * over.
   */
  | "fingerprint-not-found"
  /** The run's fingerprint does not have the form that this package writes. Start the run again. */
  | "malformed-fingerprint"
  /**
   * The spec differs from the one recorded with the run. Restore the spec, or allow the fields that may change.
   */
  | "spec-drift"
  /**
   * The fingerprint has another version, which hashes the fields in `fields` differently, so drift in them cannot be
   * detected. Start the run again.
   */
  | "spec-undecided"
  /** The storage threw an error while it loaded the checkpoint. Read `cause` and resume again. */
  | "load-checkpoint-failed"
  /** The storage has no checkpoint for the run. Start the run again. */
  | "checkpoint-not-found";

/**
 * The reason why a run must not resume. Its message is one line of text without invisible characters.
 *
 * @example
 * ```ts
 * import { checkResume, ResumeError } from "@agentprint/drover";
 *
 * const storage = { loadRun: async () => null, loadLatestCheckpoint: async () => null };
 * const result = await checkResume({ id: "writer", systemPrompt: "Write." }, "run_1", { storage });
 * if (!result.ok) console.log(result.error.message); // "run run_1 not found in storage"
 * ```
 */
export class ResumeError extends Error {
  override readonly name = "ResumeError";
  readonly _tag = "ResumeError";
  readonly code: ResumeErrorCode;
  readonly runId: string;
  /** With a strong fingerprint: the fields that drifted, or for `spec-undecided` the fields that may have drifted. */
  readonly fields: readonly string[];
  /** With a recorded payload: RFC 6901 JSON Pointers to the values in the spec that drifted. */
  readonly pointers: readonly string[];

  constructor(
    code: ResumeErrorCode,
    runId: string,
    message: string,
    options: { cause?: unknown; fields?: readonly string[]; pointers?: readonly string[] } = {},
  ) {
    super(oneLine(message), "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.runId = runId;
    this.fields = options.fields ?? [];
    this.pointers = options.pointers ?? [];
  }
}

/** Ids and messages come from a storage and must neither break the line nor control a terminal. */
function oneLine(text: string): string {
  return text.split("\n").map(escapeJsonText).join("\\u000a");
}

/** Returns the {@link SpecError} for an error that was thrown while a spec was hashed. */
export function toSpecError(error: unknown): SpecError {
  if (error instanceof SpecError) return error;
  if (error instanceof CanonicalJsonError) {
    return new SpecError(error.code, error.path, `spec cannot be hashed: ${error.message}`, { cause: error });
  }
  if (error instanceof RangeError) {
    return new SpecError("too-deep", "", "spec cannot be hashed: it is nested deeper than JSON.stringify can follow", {
      cause: error,
    });
  }
  return new SpecError("unreadable", "", `spec cannot be hashed: reading it failed with ${messageOf(error)}`, {
    cause: error,
  });
}

/** Returns the message of a thrown error or of a tagged object, or any other thrown value as text. */
export function messageOf(thrown: unknown): string {
  try {
    return String(typeof thrown === "object" && thrown !== null && "message" in thrown ? thrown.message : thrown);
  } catch {
    return "a value that cannot be shown as text";
  }
}
