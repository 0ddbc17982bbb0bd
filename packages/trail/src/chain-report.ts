/** What can be wrong with a chain. */
export const PROBLEM_KINDS: readonly [
  "altered",
  "broken-link",
  "missing-genesis",
  "second-genesis",
  "fork",
  "duplicate",
  "foreign-task",
  "malformed",
  "truncated",
  "rewritten",
] = Object.freeze([
  "altered",
  "broken-link",
  "missing-genesis",
  "second-genesis",
  "fork",
  "duplicate",
  "foreign-task",
  "malformed",
  "truncated",
  "rewritten",
] as const);

/**
 * One of {@link PROBLEM_KINDS}.
 *
 * - `altered`: a covered field is not what was hashed. `path` names the field where it can be told.
 * - `broken-link`: the record that this one follows is not before it. `related` is its index where it comes later
 *   (the records were reordered); otherwise it is gone, or was rewritten together with its hash.
 * - `missing-genesis`: the first record follows another one: the beginning was cut off.
 * - `second-genesis`: a later record claims to be the first.
 * - `fork`: two records follow the same one. Two writers did that, not an intruder.
 * - `duplicate`: an id that record `related` has.
 * - `foreign-task`: a whole record of another task.
 * - `malformed`: not a record; `path`, or `line` and `column`, say where.
 * - `truncated`: a checkpoint covers more records than there are, or a text ends inside a record.
 * - `rewritten`: the records from `index` on are not those that a checkpoint covers, though their links may be whole.
 */
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** One thing that is wrong, and where. */
export interface ChainProblem {
  readonly kind: ProblemKind;
  /** 0-based index of the record in its chain. */
  readonly index: number;
  /** 0-based place of the record in an input of many tasks. */
  readonly position?: number;
  readonly id?: string;
  /** JSON Pointer into the record. */
  readonly path?: string;
  /** Index of the other record that this is about. */
  readonly related?: number;
  /** 1-based line and column in a JSON Lines text. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** Indexes `from` to `to`, both included. */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** What `verifyChain` found. */
export interface ChainReport {
  /** Whether there is no problem. An empty chain has none; whether it should be empty only a checkpoint can tell. */
  readonly ok: boolean;
  /** The task of the first whole record; `null` where there is none. */
  readonly taskId: string | null;
  /** Number of records read, bad ones included. */
  readonly length: number;
  /** Hash of the last record; `null` where there is none. */
  readonly head: string | null;
  readonly firstBadIndex: number | null;
  /** In the order of their discovery, at most `maxProblems`. */
  readonly problems: readonly ChainProblem[];
  /** How many there are, also of those beyond `maxProblems`. */
  readonly problemCount: number;
  readonly counts: Readonly<Record<ProblemKind, number>>;
  /** Records that whole links connect to the genesis record. */
  readonly anchored: readonly IndexRange[];
  /** The others: bad ones, and those that follow them. */
  readonly unanchored: readonly IndexRange[];
  /** Number of leading records that a checkpoint vouches for; `null` where none was given or none matched. */
  readonly checkpointed: number | null;
}
