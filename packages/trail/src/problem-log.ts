import { type ChainProblem, PROBLEM_KINDS, type ProblemKind } from "./chain-report.ts";

export type ProblemDraft = { -readonly [Key in keyof ChainProblem]: ChainProblem[Key] };

/** Counts every problem and keeps the first `limit`, so that a hostile input cannot fill the memory. */
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

  /** The kept problem, which may still be completed; `undefined` beyond the limit. */
  add(problem: ProblemDraft): ProblemDraft | undefined {
    this.count++;
    this.counts[problem.kind]++;
    this.firstBadIndex = Math.min(this.firstBadIndex ?? problem.index, problem.index);
    if (this.problems.length >= this.#limit) return undefined;
    this.problems.push(problem);
    return problem;
  }
}

/** Rising indexes as runs, of which the first `limit` are kept. */
export class RangeList {
  readonly ranges: { from: number; to: number }[] = [];
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
