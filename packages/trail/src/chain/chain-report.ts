import type { ChainProblem, IndexRange, ProblemKind } from "./problem-log.ts";

/** The dropped first records of a chain, which the root in a verified checkpoint proves. */
export interface DroppedRange {
  /** The number of dropped records, which have the indexes 0 to `size - 1`. */
  readonly size: number;
  readonly firstHash: string;
  readonly lastHash: string;
  /** Root of the Merkle tree over the records' hashes. */
  readonly rootHash: string;
}

/** The result of `verifyChain`. */
export interface ChainReport {
  /**
   * Whether there is no problem. An empty chain has no problem; only a checkpoint can show whether it should be empty.
   */
  readonly ok: boolean;
  /** The task of the first intact record; `null` if there is none. */
  readonly taskId: string | null;
  /** Present only if records were dropped. The report's indexes count them, and `length` does not. */
  readonly dropped?: DroppedRange;
  /** Number of values that were read, including those that are not records. */
  readonly length: number;
  /** Hash of the last record; `null` if there is none. */
  readonly head: string | null;
  readonly firstBadIndex: number | null;
  /** In order of discovery, at most `maxProblems`. */
  readonly problems: readonly ChainProblem[];
  /** The number of problems, including those beyond `maxProblems`. */
  readonly problemCount: number;
  readonly counts: Readonly<Record<ProblemKind, number>>;
  /** Records that intact links connect to the genesis record. */
  readonly anchored: readonly IndexRange[];
  /** All other records: those with a problem, and those that follow them. */
  readonly unanchored: readonly IndexRange[];
  /** Number of leading records that match a checkpoint; `null` if no checkpoint was given or matched. */
  readonly checkpointed: number | null;
}
