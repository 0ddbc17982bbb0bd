import type { SpecFingerprint } from "./fingerprint-spec.ts";

/** What checking a resume reads of a run row. */
export interface RunRow {
  readonly agentId: string;
  readonly status: string;
  /** The 32-bit hash recorded at start. */
  readonly specHash: string;
  /** The strong fingerprint recorded at start. Where present, it decides. */
  readonly specFingerprint?: SpecFingerprint | null | undefined;
}

/** What {@link checkResume} needs of a storage. */
export interface ResumeStorage<Run extends RunRow = RunRow, Checkpoint = unknown> {
  /** The run, or `null` where there is none. */
  loadRun(runId: string): Promise<Run | null | undefined>;
  /** The newest checkpoint of the run, or `null` where there is none. */
  loadLatestCheckpoint(runId: string): Promise<Checkpoint | null | undefined>;
}

/** A storage of runs and checkpoints. Specification: "Recovery from intentional drift". */
export interface RunStorage<Run extends RunRow = RunRow, Checkpoint = unknown> extends ResumeStorage<Run, Checkpoint> {
  createRun(run: Run): Promise<void>;
  saveCheckpoint(checkpoint: Checkpoint): Promise<void>;
}
