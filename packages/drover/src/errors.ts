import {
  CanonicalJsonError,
  type CanonicalJsonErrorCode,
  escapeJsonText,
  escapeText,
} from "@agentprint/canonical-json";

/** The reasons that a {@link SpecError} can have: those of this package, and those of a value that has no JSON text. */
export type SpecErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /** The spec is not an object with the members that a digest covers. Pass the settings of the agent as plain data. */
  | "invalid-spec"
  /** The spec has no text or function as its system prompt. Pass one, or name the key that holds it. */
  | "missing-system-prompt"
  /** `plugins` is not an array, or a plugin has no id. Pass an array of plugins with ids. */
  | "invalid-plugins"
  /** There is no list of fields with this name. Use one that the message lists. */
  | "unknown-coverage"
  /** Two calls of one schema wrote different JSON Schemas, so it has no digest. Make the schema the same each time. */
  | "unstable-schema"
  | CanonicalJsonErrorCode;

/**
 * The error for a spec that cannot be hashed, because it has no system prompt, a cycle, a bigint or a value whose
 * content JSON cannot see.
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
  /** The storage threw while the run was loaded. Look at `cause` and resume again. */
  | "load-run-failed"
  /** The storage has no run with this id. Check the id. */
  | "run-not-found"
  /** The run is not paused, so it cannot resume. Resume only runs whose status is `paused`. */
  | "run-not-paused"
  /** The run was recorded by another agent. Resume it with the spec of that agent. */
  | "agent-mismatch"
  /** The spec has a value that has no digest. Look at `cause` and correct the spec. */
  | "spec-unhashable"
  /** Nothing of the spec was recorded with the run, so drift cannot be detected. Start the run over. */
  | "fingerprint-not-found"
  /** The fingerprint of the run is not one that this package writes. Start the run again. */
  | "malformed-fingerprint"
  /**
   * The spec differs from the run's recorded one. Restore the spec, or allow the fields that may change.
   */
  | "spec-drift"
  /**
   * The fingerprint is of another version, which hashes the fields in `fields` differently, so drift in them cannot be
   * detected. Start the run again.
   */
  | "spec-undecided"
  /** The storage threw while the checkpoint was loaded. Look at `cause` and resume again. */
  | "load-checkpoint-failed"
  /** The storage has no checkpoint of the run. Start the run again. */
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
  /** With a strong fingerprint: the fields that drifted, for `spec-undecided` those that may have. */
  readonly fields: readonly string[];
  /** With a recorded payload: RFC 6901 JSON Pointers into the spec of the values that drifted. */
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

/** Ids and messages come from a storage, and must neither break the line nor control a terminal. */
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
  return new SpecError("unreadable", "", `spec cannot be hashed: reading it threw ${messageOf(error)}`, {
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
