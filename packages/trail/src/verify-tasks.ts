import type { ChainReport } from "./chain-report.ts";
import { ChainVerifier, type VerifyChainOptions } from "./chain-verifier.ts";
import { TrailError } from "./errors.ts";
import { LineReader } from "./jsonl.ts";
import type { RecordSource } from "./verify-chain.ts";

/** What `verifyTasks` found. */
export interface TasksReport {
  readonly ok: boolean;
  /** Number of records read. */
  readonly length: number;
  /** One report a task, in the order of their first records. */
  readonly tasks: readonly ChainReport[];
  /** Problems of what names no task. */
  readonly unassigned: ChainReport;
}

/** How `verifyTasks` verifies. */
export interface VerifyTasksOptions {
  /** The checkpoints of a task. */
  readonly checkpoints?: (taskId: string) => VerifyChainOptions["checkpoints"];
  readonly maxProblems?: number;
  /** How many tasks an input may have. Default 10,000. */
  readonly maxTasks?: number;
  /**
   * Verifies every `of`-th task only, in the order of their first records from number `index` on, so that `of` workers
   * can share an input that each of them reads; see `joinShares`.
   */
  readonly share?: { readonly index: number; readonly of: number };
}

/**
 * Verifies an input of many tasks: one chain for each `task_id`. An index counts the records of a task, `position`
 * those of the input.
 *
 * @throws `TrailError` `too-many-tasks`.
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
 * Verifies the JSON Lines text of many tasks, which comes in pieces of UTF-8: {@link verifyTasks} of
 * `parseThoughtLines`, and faster.
 *
 * @throws `TrailError` `too-many-tasks`, `line-too-long`, and what the source throws.
 *
 * @example
 * ```ts
 * import { createReadStream } from "node:fs";
 * import { verifyTaskLines } from "@agentprint/trail/chain";
 *
 * const { ok } = await verifyTaskLines(createReadStream("trail.jsonl"));
 * ```
 */
export async function verifyTaskLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: VerifyTasksOptions = {},
): Promise<TasksReport> {
  const verifier = new TasksVerifier(options);
  const reader = new LineReader();
  for await (const chunk of chunks) for (const value of reader.read(chunk)) verifier.push(value);
  for (const value of reader.end()) verifier.push(value);
  return verifier.finish();
}

/**
 * The report that one worker would have given, of those that workers gave on their shares of one input, in the order of
 * their `index`.
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
  const most = Math.max(...shares.map(({ tasks }) => tasks.length));
  const rounds = Array.from({ length: most }, (_, round) => shares.flatMap(({ tasks }) => tasks[round] ?? []));
  return { ok: shares.every(({ ok }) => ok), length, tasks: rounds.flat(), unassigned };
}

class TasksVerifier {
  readonly #options: VerifyTasksOptions;
  // Tasks of other shares have no verifier.
  readonly #verifiers = new Map<string, ChainVerifier | null>();
  readonly #unassigned: ChainVerifier;
  #length = 0;

  constructor(options: VerifyTasksOptions) {
    this.#options = options;
    this.#unassigned = this.#create({});
  }

  push(record: unknown): void {
    const taskId = taskIdOf(record);
    const verifier = taskId === undefined ? this.#unassigned : this.#verifierOf(taskId);
    verifier?.push(record, this.#length);
    this.#length++;
  }

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
    const isOurs = number % share.of === share.index;
    const verifier = isOurs ? this.#create({ taskId, checkpoints: checkpoints?.(taskId) ?? [] }) : null;
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
