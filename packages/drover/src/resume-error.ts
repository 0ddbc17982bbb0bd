import { escapeJsonText } from "@agentprint/canonical-json";

/** Why a run cannot resume. */
export type ResumeErrorCode =
  | "load-run-failed"
  | "run-not-found"
  | "run-not-paused"
  | "agent-mismatch"
  | "spec-unhashable"
  | "malformed-fingerprint"
  | "spec-drift"
  | "spec-undecided"
  | "load-checkpoint-failed"
  | "checkpoint-not-found";

/**
 * The reason for which a run must not resume: one line of text, without invisible characters.
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
  /** The fields that drifted, or of which that is undecided, when a strong fingerprint was recorded. */
  readonly fields: readonly string[];

  constructor(
    code: ResumeErrorCode,
    runId: string,
    message: string,
    options: { cause?: unknown; fields?: readonly string[] } = {},
  ) {
    super(oneLine(message), "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.runId = runId;
    this.fields = options.fields ?? [];
  }
}

/** Ids and messages come from a storage: none of them may break the line or write to a terminal. */
function oneLine(text: string): string {
  return text.split("\n").map(escapeJsonText).join("\\u000a");
}
