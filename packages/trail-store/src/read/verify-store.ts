import { setImmediate as nextTurn } from "node:timers/promises";
import { ChainVerifier, type DroppedRange, type TreeHead } from "@agentprint/trail/chain";
import type { CheckpointTrust } from "@agentprint/trail/checkpoint";
import type { Backend, TaskEnds } from "../database/backend.ts";
import type { StoreChainReport, StoreProblem, StoreReport } from "../store-problem.ts";
import { countUnreached, readStable, readTasks, readThoughts } from "./read-thoughts.ts";
import { acceptCheckpoints, readCheckpoints } from "./stored-checkpoints.ts";

/**
 * The number of UTF-16 code units that are hashed in one turn of the event loop; the process's other requests wait
 * meanwhile.
 */
const TURN_LENGTH = 2 ** 20;

/** The options for verifying a store. */
export interface VerifyOptions {
  /**
   * Returns whose checkpoints of a task are accepted. Without `trust` the stored checkpoints are only parsed. With it,
   * checkpoints with other keys or origins are ignored; it is a problem if checkpoints are stored and none of them is
   * accepted.
   */
  readonly trust?: (taskId: string) => CheckpointTrust;
  /** Returns the checkpoints of a task that were kept elsewhere. */
  readonly checkpoints?: (taskId: string) => readonly TreeHead[];
  /** Whether the store's structure is checked first, see `TrailStore.checkStructure`. Default `true`. */
  readonly structure?: boolean;
  /**
   * The number of records that `tasks()` gave for the task. It is a problem if fewer are read, because records are
   * never deleted.
   */
  readonly listed?: number;
  /** Called after every page with the number of records read so far. */
  readonly onProgress?: (records: number) => void;
}

/**
 * Lets the database check its own structure, and returns the problems with the tables' guards and with rows that belong
 * to no chain.
 *
 * @throws {@link TrailStoreError} `corrupt` when the database is damaged.
 */
export async function checkStructure(backend: Backend, taskId: string | undefined): Promise<readonly StoreProblem[]> {
  await backend.checkStructure();
  const problems = await backend.compareGuards();
  const { count, ids } = await countUnreached(backend, taskId);
  if (count === 0) return problems;
  const message = `${count} rows belong to no chain, because of their position, task or text: ids ${JSON.stringify(ids)}`;
  return [...problems, { kind: "unreached-rows", taskId: null, count, message }];
}

/** Verifies one task's chain page by page; `readBefore` records of other tasks have already been read. */
export async function verifyTask(
  backend: Backend,
  taskId: string,
  options: VerifyOptions,
  readBefore = 0,
): Promise<StoreChainReport> {
  return readStable(backend, taskId, (ends) => verifyBetween(backend, taskId, ends, options, readBefore));
}

async function verifyBetween(
  backend: Backend,
  taskId: string,
  ends: TaskEnds | undefined,
  { trust, checkpoints, listed = 0, onProgress }: VerifyOptions,
  readBefore: number,
): Promise<StoreChainReport> {
  const before = ends?.first === 0 ? undefined : ends?.before;
  const stored = await readCheckpoints(backend, taskId);
  const { heads, claims, problems } = acceptCheckpoints(taskId, stored, trust?.(taskId), before);
  const trusted = [...heads, ...(checkpoints?.(taskId) ?? [])];
  const verifier = new ChainVerifier({ taskId, checkpoints: [...trusted, ...claims], lastHash: before });
  const misplaced: string[] = [];
  let count = readBefore;
  let next = ends?.first ?? 0;
  let length = 0;
  for await (const page of readThoughts(backend, taskId)) {
    for (const row of page) {
      if (length > TURN_LENGTH) {
        await nextTurn();
        length = 0;
      }
      verifier.push(row);
      length += row.content.length;
      if (row.position !== next) misplaced.push(row.id);
      next = row.position + 1;
    }
    count += page.length;
    onProgress?.(count);
  }
  const report = verifier.finish();
  const storeProblems = [...problems, ...misplacement(taskId, misplaced)];
  if (report.dropped && claims.length > 0) storeProblems.push(unproven(taskId, report.dropped));
  if (ends) storeProblems.push(...missingEnds(taskId, ends, next, report.dropped));
  // If the ends are known, some of the counted records may have been dropped since.
  else if (report.length < listed) storeProblems.push(unread(taskId, listed - report.length));
  return { ...report, ok: report.ok && storeProblems.length === 0, storeProblems };
}

/** Verifies every task, one after the other. */
export async function verifyTasks(
  backend: Backend,
  options: VerifyOptions,
  storeProblems: readonly StoreProblem[],
): Promise<StoreReport> {
  const tasks: StoreChainReport[] = [];
  let length = 0;
  for await (const task of readTasks(backend)) {
    const report = await verifyTask(backend, task.taskId, { ...options, listed: task.length }, length);
    tasks.push(report);
    length += report.length;
  }
  const ok = storeProblems.length === 0 && tasks.every((task) => task.ok);
  return { ok, length, tasks, unassigned: new ChainVerifier().finish(), storeProblems };
}

function misplacement(taskId: string, [id, ...more]: readonly string[]): StoreProblem[] {
  if (id === undefined) return [];
  const message = `record ${JSON.stringify(id)} of task ${JSON.stringify(taskId)} is not stored at the position after the previous one`;
  return [{ kind: "misplaced-record", taskId, count: 1 + more.length, message }];
}

/**
 * Returns the problems with records that are missing at the beginning or end of a task: those before the first
 * remaining record, `ends.first`, and those from `next` on.
 */
function missingEnds(taskId: string, ends: TaskEnds, next: number, dropped: DroppedRange | undefined): StoreProblem[] {
  const { first, last } = ends;
  const problems: StoreProblem[] = [];
  const missing = (from: number, to: number, why: string): void => {
    const message = `records ${from} to ${to - 1} of task ${JSON.stringify(taskId)} are gone, and ${why}`;
    problems.push({ kind: "dropped-records", taskId, count: to - from, message });
  };
  if (first !== (dropped?.size ?? 0)) missing(0, first, "no accepted checkpoint covers exactly these");
  if (next <= last) missing(next, last + 1, "they were the last");
  return problems;
}

function unproven(taskId: string, { size }: DroppedRange): StoreProblem {
  const message = `records 0 to ${size - 1} of task ${JSON.stringify(taskId)} were dropped, and no trusted checkpoint proves them`;
  return { kind: "untrusted-checkpoints", taskId, count: 1, message };
}

function unread(taskId: string, count: number): StoreProblem {
  const message = `${count} rows of task ${JSON.stringify(taskId)} were counted but not read`;
  return { kind: "unreached-rows", taskId, count, message };
}
