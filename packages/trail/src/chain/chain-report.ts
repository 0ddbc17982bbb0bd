import type { ChainProblem, IndexRange, ProblemKind } from "./problem-log.ts";

/** The result of `verifyChain`. */
export interface ChainReport {
  /** Whether there is no problem. An empty chain has none; whether it should be empty only a checkpoint can tell. */
  readonly ok: boolean;
  /** The task of the first intact record; `null` where there is none. */
  readonly taskId: string | null;
  /** Number of values that were read, also of those that are no records. */
  readonly length: number;
  /** Hash of the last record; `null` where there is none. */
  readonly head: string | null;
  readonly firstBadIndex: number | null;
  /** In the order of their discovery, at most `maxProblems`. */
  readonly problems: readonly ChainProblem[];
  /** How many problems there are, also of those beyond `maxProblems`. */
  readonly problemCount: number;
  readonly counts: Readonly<Record<ProblemKind, number>>;
  /** Records that intact links connect to the genesis record. */
  readonly anchored: readonly IndexRange[];
  /** All other records: those with a problem, and those that follow them. */
  readonly unanchored: readonly IndexRange[];
  /** Number of leading records that match a checkpoint; `null` where none was given or none matched. */
  readonly checkpointed: number | null;
}
