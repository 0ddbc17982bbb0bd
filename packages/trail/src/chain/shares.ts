import type { ChainReport } from "./chain-report.ts";
import type { LineBatch } from "./line-splitter.ts";
import { type ChainProblem, MAX_LISTED } from "./problem-log.ts";
import { LineParser } from "./thought-lines.ts";
import { UncoveredMembersLog } from "./uncovered-members.ts";
import type { TaskLinesReport } from "./verify-lines.ts";
import { checkTaskCount, TasksVerifier, type VerifyTasksOptions } from "./verify-tasks.ts";

type ShareOptions = Omit<VerifyTasksOptions, "checkpoints">;

/** The report of a worker on its share of a text. */
export interface ShareReport extends TaskLinesReport {
  /** The place in the text of the first record of each task, in the order of `tasks`. */
  readonly firstPositions: readonly number[];
}

/** Verifies the lines that a `LineSplitter` gave to one worker. */
export class ShareVerifier {
  readonly #parser = new LineParser();
  readonly #verifier: TasksVerifier;
  readonly #uncovered: UncoveredMembersLog;

  constructor(options: ShareOptions = {}) {
    this.#verifier = new TasksVerifier(options);
    this.#uncovered = new UncoveredMembersLog(options.maxProblems);
  }

  /**
   * Takes the next batch.
   *
   * @throws {@link TrailError} `too-many-tasks` when the share has more than `maxTasks`.
   */
  push({ bytes, lines, isUnfinished }: LineBatch): void {
    const numberOf = (index: number): number => lines[index] as number;
    const values = isUnfinished
      ? [this.#parser.parseLastLine(bytes, numberOf(0))]
      : this.#parser.parseBlock(bytes, numberOf);
    for (let index = 0; index < values.length; index++) {
      this.#verifier.push(values[index], numberOf(index) - 1);
      this.#uncovered.push(values[index], numberOf(index));
    }
  }

  /** The report on all that was pushed. */
  finish(): ShareReport {
    const { firstPositions } = this.#verifier;
    return { ...this.#verifier.finish(), uncovered: this.#uncovered.found, firstPositions };
  }
}

/**
 * Joins the reports of all workers to the report that one worker would have given on the whole text.
 *
 * @param options - What each {@link ShareVerifier} was given.
 * @throws {@link TrailError} `too-many-tasks` when the shares have more than `maxTasks` together.
 */
export function joinShares(shares: readonly ShareReport[], options: ShareOptions = {}): TaskLinesReport {
  const { maxProblems = MAX_LISTED, maxTasks } = options;
  const placed = shares.flatMap(({ tasks, firstPositions }) =>
    tasks.map((task, index) => ({ task, position: firstPositions[index] as number })),
  );
  checkTaskCount(placed.length, maxTasks);
  return {
    ok: shares.every(({ ok }) => ok),
    length: sumOf(shares.map(({ length }) => length)),
    tasks: placed.sort((a, b) => a.position - b.position).map(({ task }) => task),
    unassigned: joinUnassigned(
      shares.map(({ unassigned }) => unassigned),
      maxProblems,
    ),
    uncovered: shares
      .flatMap(({ uncovered }) => uncovered)
      .sort((a, b) => a.line - b.line)
      .slice(0, maxProblems),
  };
}

/** Values that name no task are no records: each of them has a problem, no hash and no link. */
function joinUnassigned(reports: readonly ChainReport[], maxProblems: number): ChainReport {
  const [first] = reports as [ChainReport];
  const length = sumOf(reports.map((report) => report.length));
  const kinds = Object.keys(first.counts) as (keyof ChainReport["counts"])[];
  const sums = kinds.map((kind) => [kind, sumOf(reports.map(({ counts }) => counts[kind]))]);
  return {
    ...first,
    ok: length === 0,
    length,
    firstBadIndex: length === 0 ? null : 0,
    problems: numbered(reports.flatMap(({ problems }) => problems).sort(byPosition)).slice(0, maxProblems),
    problemCount: sumOf(reports.map(({ problemCount }) => problemCount)),
    counts: Object.fromEntries(sums) as ChainReport["counts"],
    unanchored: length === 0 ? [] : [{ from: 0, to: length - 1 }].slice(0, maxProblems),
  };
}

/** The problems with the index that each value has among all values. */
function numbered(problems: readonly ChainProblem[]): ChainProblem[] {
  let index = -1;
  let last: number | undefined;
  return problems.map((problem) => {
    if (problem.position !== last) index++;
    last = problem.position;
    return { ...problem, index };
  });
}

function byPosition(a: ChainProblem, b: ChainProblem): number {
  return Number(a.position) - Number(b.position);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
