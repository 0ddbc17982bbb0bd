import { TrailError } from "../errors.ts";
import type { ChainReport } from "./chain-report.ts";
import { ChainVerifier, type VerifyChainOptions } from "./chain-verifier.ts";
import type { RecordSource } from "./verify-chain.ts";

/** The result of `verifyTasks`. */
export interface TasksReport {
  readonly ok: boolean;
  /** Number of records read. */
  readonly length: number;
  /** One report a task, in the order of their first records. */
  readonly tasks: readonly ChainReport[];
  /** The report on the values that name no task. */
  readonly unassigned: ChainReport;
}

/** How `verifyTasks` verifies. */
export interface VerifyTasksOptions {
  /** Gives the checkpoints of a task. */
  readonly checkpoints?: (taskId: string) => VerifyChainOptions["checkpoints"];
  readonly maxProblems?: number;
  /** How many tasks an input may have. Default 10,000. */
  readonly maxTasks?: number;
  /**
   * Verifies only every `of`-th task, beginning with task number `index`; tasks are numbered from 0 in the order of their
   * first records. So `of` workers, each of which reads all of an input, share its tasks; see `joinShares`.
   */
  readonly share?: { readonly index: number; readonly of: number };
}

/**
 * Verifies an input of many tasks: one chain for each `task_id`. The `index` of a problem counts the records of its task,
 * its `position` those of the input.
 *
 * @throws {@link TrailError} `too-many-tasks` when there are more than `maxTasks`; and the error of `records` itself.
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
  const verifier = new TasksVerifier(options);
  for await (const record of records) verifier.push(record);
  return verifier.finish();
}

/**
 * Joins the reports of workers on their shares of one input to the report that one worker would have given on all of it.
 *
 * @param shares the report of each worker, in the order of `share.index`.
 *
 * @example
 * ```ts
 * import { joinShares, verifyTasks } from "@agentprint/trail/chain";
 *
 * const verify = (index: number) => verifyTasks(records, { share: { index, of: 2 } });
 * console.log(joinShares([await verify(0), await verify(1)]).tasks.length);
 * ```
 */
export function joinShares(shares: readonly [TasksReport, ...TasksReport[]]): TasksReport {
  const [{ length, unassigned }] = shares;
  const longest = Math.max(...shares.map(({ tasks }) => tasks.length));
  const rounds = Array.from({ length: longest }, (_, round) => shares.flatMap(({ tasks }) => tasks[round] ?? []));
  return { ok: shares.every(({ ok }) => ok), length, tasks: rounds.flat(), unassigned };
}

/**
 * Verifies an input of many tasks record by record, for a caller that reads the records anyway: `verifyTasks` with the
 * records pushed.
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
  readonly #options: VerifyTasksOptions;
  // `null` for a task of another share.
  readonly #verifiers = new Map<string, ChainVerifier | null>();
  readonly #unassigned: ChainVerifier;
  #length = 0;

  constructor(options: VerifyTasksOptions = {}) {
    this.#options = options;
    this.#unassigned = this.#create({});
  }

  /** Takes the next record, or a `TrailError` in its place. */
  push(record: unknown): void {
    const taskId = taskIdOf(record);
    const verifier = taskId === undefined ? this.#unassigned : this.#verifierOf(taskId);
    verifier?.push(record, this.#length);
    this.#length++;
  }

  /** The report on all that was pushed. */
  finish(): TasksReport {
    const tasks = [...this.#verifiers.values()].flatMap((verifier) => verifier?.finish() ?? []);
    const unassigned = this.#unassigned.finish();
    return { ok: unassigned.ok && tasks.every(({ ok }) => ok), length: this.#length, tasks, unassigned };
  }

  #verifierOf(taskId: string): ChainVerifier | null {
    const known = this.#verifiers.get(taskId);
    if (known !== undefined) return known;
    const { checkpoints, maxTasks = 10_000, share = { index: 0, of: 1 } } = this.#options;
    const number = this.#verifiers.size;
    if (number >= maxTasks) {
      throw new TrailError("too-many-tasks", `more than ${maxTasks} tasks: verify them one by one, or allow more`);
    }
    const isInShare = number % share.of === share.index;
    const verifier = isInShare ? this.#create({ taskId, checkpoints: checkpoints?.(taskId) ?? [] }) : null;
    this.#verifiers.set(taskId, verifier);
    return verifier;
  }

  #create(options: VerifyChainOptions): ChainVerifier {
    const { maxProblems } = this.#options;
    return new ChainVerifier(maxProblems === undefined ? options : { ...options, maxProblems });
  }
}

function taskIdOf(record: unknown): string | undefined {
  const taskId = (record as { task_id?: unknown } | null | undefined)?.task_id;
  return typeof taskId === "string" && taskId !== "" ? taskId : undefined;
}
