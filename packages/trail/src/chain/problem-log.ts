/** The kinds of problems that a chain can have. */
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
] = /* @__PURE__ */ Object.freeze([
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
 * One of {@link PROBLEM_KINDS}. A record is _intact_ if its hash matches its content.
 *
 * - `altered`: a covered field differs from the hashed value. `path` names the field if it is known.
 * - `broken-link`: no earlier record has the hash that this record follows. `related` is the index of the record with
 *   that hash if it comes later (the records were reordered); otherwise it was removed, or altered and hashed again.
 * - `missing-genesis`: the first record follows another one, so the beginning was cut off.
 * - `second-genesis`: a later record claims to be the first.
 * - `fork`: two records follow the same one. The cause is two writers, not an intruder.
 * - `duplicate`: the record has the id of record `related`.
 * - `foreign-task`: an intact record belongs to another task.
 * - `malformed`: not a record; `path`, or `line` and `column`, say where.
 * - `truncated`: a checkpoint covers more records than there are, or a text ends inside a record.
 * - `rewritten`: the records from `index` on are not those that a checkpoint covers, even if all their links are intact.
 */
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** The default limit on the number of problems, and of records with additional members, that a report lists. */
export const MAX_LISTED = 10_000;

/** One problem and its place. */
export interface ChainProblem {
  readonly kind: ProblemKind;
  /** 0-based index of the record in its chain. */
  readonly index: number;
  /** 0-based place of the record in an input of many tasks. */
  readonly position?: number;
  readonly id?: string;
  /** JSON Pointer into the record. */
  readonly path?: string;
  /** Index of the other record involved. */
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

/** A problem that later records may still complete. */
export type ProblemDraft = { -readonly [Key in keyof ChainProblem]: ChainProblem[Key] };

/**
 * Reports a problem with the current record; returns the problem's draft, or `undefined` if the report lists no more
 * problems.
 */
export type ReportProblem = (problem: Omit<ProblemDraft, "index" | "position">) => ProblemDraft | undefined;

/** Counts every problem and keeps the first `limit`, so that hostile input cannot fill memory. */
export class ProblemLog {
  readonly problems: ProblemDraft[] = [];
  readonly counts: Record<ProblemKind, number>;
  count = 0;
  firstBadIndex: number | null = null;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
    this.counts = Object.fromEntries(PROBLEM_KINDS.map((kind) => [kind, 0])) as Record<ProblemKind, number>;
  }

  /** Adds a problem. Returns the problem, so that a later record may add to it, or `undefined` beyond the limit. */
  add(problem: ProblemDraft): ProblemDraft | undefined {
    this.count++;
    this.counts[problem.kind]++;
    this.firstBadIndex = Math.min(this.firstBadIndex ?? problem.index, problem.index);
    if (this.problems.length >= this.#limit) return undefined;
    this.problems.push(problem);
    return problem;
  }
}

/** Growing indexes as ranges without gaps, of which only the first `limit` are kept. */
export class RangeList {
  readonly ranges: { -readonly [Key in keyof IndexRange]: number }[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(index: number): void {
    const last = this.ranges.at(-1);
    if (last?.to === index - 1) last.to = index;
    else if (this.ranges.length < this.#limit) this.ranges.push({ from: index, to: index });
  }
}
