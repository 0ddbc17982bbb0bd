import type { FingerprintPayload, SpecFingerprint } from "./fingerprint-spec.ts";

/** The members of a run row that {@link checkResume} reads. */
export interface RunRow {
  readonly agentId: string;
  readonly status: string;
  /** The 32-bit hash recorded when the run started. */
  readonly specHash: string;
  /** The strong fingerprint recorded when the run started. If present, it decides instead of the 32-bit hash. */
  readonly specFingerprint?: SpecFingerprint | null | undefined;
  /** The payload of the strong fingerprint. If present, a refusal also names the values that drifted. */
  readonly specPayload?: FingerprintPayload | null | undefined;
}

/** The storage functions that {@link checkResume} calls. */
export interface ResumeStorage<Run extends RunRow = RunRow, Checkpoint = unknown> {
  /** Returns the run, or `null` if there is none. */
  loadRun(runId: string): Promise<Run | null | undefined>;
  /** Returns the run's newest checkpoint, or `null` if there is none. */
  loadLatestCheckpoint(runId: string): Promise<Checkpoint | null | undefined>;
}

/**
 * A storage for runs and checkpoints.
 *
 * @see Spec hash & drift, "Recovery from intentional drift"
 */
export interface RunStorage<Run extends RunRow = RunRow, Checkpoint = unknown> extends ResumeStorage<Run, Checkpoint> {
  createRun(run: Run): Promise<void>;
  saveCheckpoint(checkpoint: Checkpoint): Promise<void>;
}
