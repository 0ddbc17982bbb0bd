import { checkArgument } from "../check-argument.ts";
import type { IdEntries } from "../engine/record-index.ts";
import { TrailError } from "../errors.ts";
import { isRecord, ownText, ZERO_HASH } from "../record/record.ts";
import type { ChainReport } from "./chain-report.ts";
import { ChainVerifier, type VerifyChainOptions } from "./chain-verifier.ts";
import { MAX_LISTED } from "./problem-log.ts";
import type { RecordSource } from "./verify-chain.ts";

const MAX_TASKS = 100_000;
/**
 * After this many records, verifiers release their text, so that little of it survives a collection of new objects.
 */
const RELEASE_AFTER = 256;

interface Task {
  readonly verifier: ChainVerifier;
  isHolding: boolean;
  /** The position of the task's last record. */
  last: number;
  /** The `prev_hash` of the first value, if it was a record. */
  readonly follows: string;
}

/** The records of one task in a part. */
export interface TaskPart {
  readonly report: ChainReport;
  /** The `prev_hash` of the first of these records. */
  readonly follows: string;
  readonly ids: IdEntries;
}

/** The result of `verifyTasks`. */
export interface TasksReport {
  readonly ok: boolean;
  /** Number of records read. */
  readonly length: number;
  /** One report per task, in the order of their first records. */
  readonly tasks: readonly ChainReport[];
  /** The report on the values that name no task. */
  readonly unassigned: ChainReport;
}

/** How `verifyTasks` verifies. */
export interface VerifyTasksOptions {
  /** Returns the checkpoints of a task. */
  readonly checkpoints?: (taskId: string) => VerifyChainOptions["checkpoints"];
  readonly maxProblems?: number;
  /** The maximum number of tasks in an input. Default 100,000, whose verifiers take less than 0.5 GB. */
  readonly maxTasks?: number;
}

/** How `TasksVerifier` verifies. */
export interface TasksVerifierOptions extends VerifyTasksOptions {
  /**
   * Whether the records are part of a larger input, in which case a task's first record may follow any record. Default:
   * no.
   */
  readonly isPart?: boolean;
}

/**
 * Verifies an input of many tasks, with one chain for each `task_id`. A problem's `index` counts the records of its
 * task, and its `position` those of the input.
 *
 * @throws {@link TrailError} `too-many-tasks` when there are more than `maxTasks`; and any error of `records` itself.
 *
 * @example
 * ```ts
 * import { verifyTasks } from "@agentprint/trail/chain";
 *
 * const { tasks } = await verifyTasks(records);
 * for (const { taskId, length, ok } of tasks) console.log(taskId, length, ok);
 * ```
 */
export async function verifyTasks(records: RecordSource, options: VerifyTasksOptions = {}): Promise<TasksReport> {
  checkArgument("records", records, "iterable");
  checkArgument("options", options, "object");
  const verifier = new TasksVerifier(options);
  for await (const record of records) verifier.push(record);
  return verifier.finish();
}

/**
 * Verifies an input of many tasks record by record, like `verifyTasks`, for a caller that reads the records anyway.
 *
 * @throws {@link TrailError} `too-many-tasks` from `push` when there are more than `maxTasks`.
 *
 * @example
 * ```ts
 * import { TasksVerifier } from "@agentprint/trail/chain";
 *
 * const verifier = new TasksVerifier();
 * for (const record of records) verifier.push(record);
 * console.log(verifier.finish().ok);
 * ```
 */
export class TasksVerifier {
  readonly #options: TasksVerifierOptions;
  readonly #tasks = new Map<string, Task>();
  readonly #unassigned: ChainVerifier;
  /** The tasks that still hold text from records that were read. */
  readonly #holding: Task[] = [];
  /** Positions of values that name no task; each may have been one record of any task. */
  readonly #lost: number[] = [];
  #length = 0;

  constructor(options: TasksVerifierOptions = {}) {
    checkArgument("options", options, "object");
    this.#options = options;
    this.#unassigned = this.#create({});
  }

  /** The tasks as parts of chains, in the order of the report. */
  get parts(): readonly TaskPart[] {
    return Array.from(this.#tasks.values(), ({ verifier, follows }) => ({
      report: verifier.finish(),
      follows,
      ids: verifier.ids,
    }));
  }

  /** Takes the next record, or a `TrailError` instead of one. */
  push(record: unknown): void {
    const position = this.#length++;
    const taskId = taskIdOf(record);
    if (taskId === undefined) {
      this.#unassigned.push(record, position);
      if (this.#lost.length < MAX_LISTED) this.#lost.push(position);
      return;
    }
    const task = this.#taskOf(taskId, record);
    task.verifier.push(record, position);
    task.last = position;
    if (!task.isHolding) {
      task.isHolding = true;
      this.#holding.push(task);
    }
    if (this.#length % RELEASE_AFTER === 0) this.#release();
  }

  /** Returns the report on everything that was pushed. */
  finish(): TasksReport {
    const tasks = Array.from(this.#tasks.values(), ({ verifier }) => verifier.finish());
    const unassigned = this.#unassigned.finish();
    return { ok: unassigned.ok && tasks.every(({ ok }) => ok), length: this.#length, tasks, unassigned };
  }

  #release(): void {
    for (const task of this.#holding) {
      task.isHolding = false;
      task.verifier.releaseText();
    }
    this.#holding.length = 0;
  }

  #taskOf(taskId: string, first: unknown): Task {
    const known = this.#tasks.get(taskId);
    if (known !== undefined) return known;
    const { checkpoints, maxTasks, isPart } = this.#options;
    checkTaskCount(this.#tasks.size + 1, maxTasks);
    const name = ownText(taskId);
    const verifier = this.#create({
      taskId: name,
      checkpoints: checkpoints?.(taskId) ?? [],
      isLost: () => this.#takeLost(task.last),
    });
    const follows = isPart && isRecord(first) ? ownText(first.prev_hash) : ZERO_HASH;
    if (isPart) verifier.follow(follows);
    const task: Task = { verifier, follows, isHolding: false, last: -1 };
    this.#tasks.set(name, task);
    return task;
  }

  /**
   * Returns whether a value that names no task came after a position. Each of these values explains only one missing
   * record of one task, so it is then used up.
   */
  #takeLost(last: number): boolean {
    if (!((this.#lost.at(-1) ?? -1) > last)) return false;
    this.#lost.splice(
      this.#lost.findIndex((position) => position > last),
      1,
    );
    return true;
  }

  #create(options: VerifyChainOptions): ChainVerifier {
    const { maxProblems } = this.#options;
    return new ChainVerifier(maxProblems === undefined ? options : { ...options, maxProblems });
  }
}

/** @throws {@link TrailError} `too-many-tasks` when `count` is above `maxTasks`. */
export function checkTaskCount(count: number, maxTasks: number = MAX_TASKS): void {
  if (count <= maxTasks) return;
  throw new TrailError("too-many-tasks", `more than ${maxTasks} tasks: verify them one by one, or allow more`);
}

/** Returns the task that a value names, if it names one. */
function taskIdOf(record: unknown): string | undefined {
  const taskId = (record as { task_id?: unknown } | null | undefined)?.task_id;
  return typeof taskId === "string" && taskId !== "" ? taskId : undefined;
}
