import type { ChainReport } from "./chain-report.ts";
import { ChainVerifier, type VerifyChainOptions } from "./chain-verifier.ts";
import { TrailError } from "./errors.ts";
import { LineReader } from "./jsonl.ts";

/** Records as they come: from memory, or from a file or a database as they are read. */
export type RecordSource = Iterable<unknown> | AsyncIterable<unknown>;

/**
 * Verifies the records of one task in the order in which they come: schema, hashes, links, one genesis record, ids,
 * one task, and agreement with checkpoints. An error of the source itself is thrown: it is no finding about the chain.
 *
 * It keeps about 50 bytes a record in typed arrays, however large the records are.
 *
 * @example
 * ```ts
 * import { verifyChain } from "@agentprint/trail/chain";
 *
 * const report = await verifyChain(records);
 * if (!report.ok) console.log(report.firstBadIndex, report.problems[0]?.kind);
 * ```
 */
export async function verifyChain(records: RecordSource, options: VerifyChainOptions = {}): Promise<ChainReport> {
  const verifier = new ChainVerifier(options);
  if (Symbol.asyncIterator in records) for await (const record of records) verifier.push(record);
  else for (const record of records) verifier.push(record);
  return verifier.finish();
}

/**
 * Verifies the JSON Lines text of one task, which comes in pieces of UTF-8: {@link verifyChain} of
 * `parseThoughtLines`, and faster.
 *
 * @throws `TrailError` `line-too-long`, and what the source throws.
 *
 * @example
 * ```ts
 * import { createReadStream } from "node:fs";
 * import { verifyThoughtLines } from "@agentprint/trail/chain";
 *
 * const report = await verifyThoughtLines(createReadStream("trail.jsonl"));
 * ```
 */
export async function verifyThoughtLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: VerifyChainOptions = {},
): Promise<ChainReport> {
  const verifier = new ChainVerifier(options);
  const reader = new LineReader();
  for await (const chunk of chunks) for (const value of reader.read(chunk)) verifier.push(value);
  for (const value of reader.end()) verifier.push(value);
  return verifier.finish();
}

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
  const { checkpoints, maxTasks = 10_000, ...limits } = options;
  const verifiers = new Map<string, ChainVerifier>();
  const unassigned = new ChainVerifier(limits);
  let length = 0;
  for await (const record of records) {
    const taskId = taskIdOf(record);
    let verifier = taskId === undefined ? unassigned : verifiers.get(taskId);
    if (verifier === undefined) {
      if (verifiers.size >= maxTasks) {
        throw new TrailError("too-many-tasks", `more than ${maxTasks} tasks: verify them one by one, or allow more`);
      }
      verifier = new ChainVerifier({
        ...limits,
        taskId: taskId as string,
        checkpoints: checkpoints?.(taskId as string) ?? [],
      });
      verifiers.set(taskId as string, verifier);
    }
    verifier.push(record, length++);
  }
  const tasks = [...verifiers.values()].map((verifier) => verifier.finish());
  const rest = unassigned.finish();
  return { ok: rest.ok && tasks.every(({ ok }) => ok), length, tasks, unassigned: rest };
}

function taskIdOf(record: unknown): string | undefined {
  const taskId = (record as { task_id?: unknown } | null | undefined)?.task_id;
  return typeof taskId === "string" && taskId !== "" ? taskId : undefined;
}
