import type { ChainReport, TasksReport } from "@agentprint/trail/chain";

/** The kinds of problems that a store can have, apart from its chains' problems. */
export const STORE_PROBLEM_KINDS: readonly [
  "changed-guard",
  "unreached-rows",
  "misplaced-record",
  "invalid-checkpoint",
  "untrusted-checkpoints",
  "dropped-records",
] = Object.freeze([
  "changed-guard",
  "unreached-rows",
  "misplaced-record",
  "invalid-checkpoint",
  "untrusted-checkpoints",
  "dropped-records",
] as const);

/**
 * One of {@link STORE_PROBLEM_KINDS}.
 *
 * - `changed-guard`: a trigger, rule or constraint on the tables differs from the one that the store created.
 * - `unreached-rows`: rows that belong to no chain, because of their position or their task. `count` says how many.
 * - `misplaced-record`: records whose position does not follow the previous record's. `count` says how many.
 * - `invalid-checkpoint`: a stored note is not a checkpoint, or has a signature that was not made by the key that it
 *   names.
 * - `untrusted-checkpoints`: checkpoints of the task are stored, but `trust` accepts none of them; or records were
 *   dropped, and their checkpoint was not compared with any trusted key.
 * - `dropped-records`: records at the beginning or end of a task are gone, and no checkpoint proves them. `count` says
 *   how many.
 */
export type StoreProblemKind = (typeof STORE_PROBLEM_KINDS)[number];

/** One problem in a store. */
export interface StoreProblem {
  readonly kind: StoreProblemKind;
  /** The task that the problem is about; `null` for a problem with the store itself. */
  readonly taskId: string | null;
  /** The number of affected rows, or 1. */
  readonly count: number;
  readonly message: string;
}

/** The result of verifying one task in a store. `ok` says whether neither the chain nor the store has a problem. */
export interface StoreChainReport extends ChainReport {
  readonly storeProblems: readonly StoreProblem[];
}

/** The result of verifying a store. */
export interface StoreReport extends TasksReport {
  readonly tasks: readonly StoreChainReport[];
  /** Problems with the store itself; a task's problems are in its own report. */
  readonly storeProblems: readonly StoreProblem[];
}

/** Returns a problem of the kind `changed-guard`. */
export function changedGuard(what: string): StoreProblem {
  const message = `the tables are not guarded as the store created them: ${what}`;
  return { kind: "changed-guard", taskId: null, count: 1, message };
}
