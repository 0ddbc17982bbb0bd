import type { ChainReport, TasksReport } from "@agentprint/trail/chain";

/** What can be wrong with a store, beside its chains. */
export const STORE_PROBLEM_KINDS: readonly [
  "changed-guard",
  "unreached-rows",
  "misplaced-record",
  "invalid-checkpoint",
  "untrusted-checkpoints",
] = Object.freeze([
  "changed-guard",
  "unreached-rows",
  "misplaced-record",
  "invalid-checkpoint",
  "untrusted-checkpoints",
] as const);

/**
 * One of {@link STORE_PROBLEM_KINDS}.
 *
 * - `changed-guard`: a trigger, rule or constraint of the tables is not what the store made.
 * - `unreached-rows`: rows that belong to no chain, because of their position or their task. `count` says how many.
 * - `misplaced-record`: a record whose position does not follow the one before. `count` says how many.
 * - `invalid-checkpoint`: a stored note that is no checkpoint, or bears a signature that its key did not make.
 * - `untrusted-checkpoints`: notes are stored of the task, and none of them counts.
 */
export type StoreProblemKind = (typeof STORE_PROBLEM_KINDS)[number];

/** One thing that is wrong with a store. */
export interface StoreProblem {
  readonly kind: StoreProblemKind;
  /** The task that it is about; `null` where it is about none. */
  readonly taskId: string | null;
  /** How many rows, or 1. */
  readonly count: number;
  readonly message: string;
}

/** What the verification of one task in a store found. `ok` says that there is neither kind of problem. */
export interface StoreChainReport extends ChainReport {
  readonly storeProblems: readonly StoreProblem[];
}

/** What the verification of a store found. */
export interface StoreReport extends TasksReport {
  readonly tasks: readonly StoreChainReport[];
  /** Problems of the store itself; those of a task are in its report. */
  readonly storeProblems: readonly StoreProblem[];
}

/** A problem of the kind `changed-guard`. */
export function changedGuard(what: string): StoreProblem {
  return { kind: "changed-guard", taskId: null, count: 1, message: `what keeps the tables append-only: ${what}` };
}
