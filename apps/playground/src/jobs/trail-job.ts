import {
  type ChainProblem,
  type ChainReport,
  type TasksReport,
  TrailError,
  verifyTaskLines,
} from "@agentprint/trail/chain";
import { type Anchor, type AnchorInput, readAnchor } from "./anchor.ts";
import type { Progress, Source } from "./job.ts";
import { OpenedTrail } from "./opened-trail.ts";

/** A trail as JSON Lines, and a checkpoint of one of its tasks. */
export interface TrailInput extends AnchorInput {
  readonly trail: Source;
  /** The checkpoint's task; empty if the trail has only one task. */
  readonly task: string;
}

/** A chain as the page describes it. */
export type ShownChain = Pick<ChainReport, "checkpointed" | "head" | "length" | "problemCount" | "taskId">;

/** A problem, and the 0-based line number of its record. */
export interface ShownProblem extends Pick<ChainProblem, "kind" | "message" | "path"> {
  readonly at: number;
}

/** The results of verifying a trail. */
export interface TrailResult {
  readonly ok: boolean;
  readonly records: number;
  readonly bytes: number;
  readonly milliseconds: number;
  /** The chains of the first tasks; `tasks` is the number of all tasks. */
  readonly chains: readonly ShownChain[];
  readonly tasks: number;
  readonly problemCount: number;
  /** The problems in the order of their lines; incomplete if there are very many. */
  readonly problems: readonly ShownProblem[];
  readonly anchor?: Pick<Anchor, "isSigned" | "origin"> & { readonly size: number; readonly fits: boolean };
}

/** The maximum number of chains listed. */
const MAX_CHAINS = 100;
/** The maximum number of problems kept, per chain and in total. */
const MAX_PROBLEMS = 1000;

let opened: OpenedTrail | undefined;

/**
 * Verifies a trail and remembers where its lines are.
 *
 * @throws {TrailError} as `verifyTaskLines` and `readAnchor` do; `invalid-checkpoint` when a checkpoint is given but no
 * task
 */
export async function trailJob(input: TrailInput, onProgress: (progress: Progress) => void): Promise<TrailResult> {
  const { trail, task } = input;
  const start = performance.now();
  const source = typeof trail === "string" ? new Blob([trail]) : trail;
  const anchor = readAnchor(input);
  const reading = new OpenedTrail(source, anchor);
  let isTaken = false;
  const report = await verifyTaskLines(reading.read(onProgress), {
    maxProblems: MAX_PROBLEMS,
    checkpoints(taskId) {
      const isMeant = anchor !== undefined && (task === "" ? !isTaken : taskId === task);
      isTaken ||= isMeant;
      return isMeant ? [anchor.head] : [];
    },
  });
  if (anchor !== undefined) requireTask(report, task, isTaken);
  opened = reading;
  return { ...shown(report, anchor), bytes: source.size, milliseconds: performance.now() - start };
}

/**
 * Returns the last verified trail.
 *
 * @throws {Error} if no trail was verified
 */
export function openedTrail(): OpenedTrail {
  if (opened === undefined) throw new Error("no trail was verified");
  return opened;
}

function requireTask({ tasks }: TasksReport, task: string, isTaken: boolean): void {
  if (!isTaken && task !== "")
    throw new TrailError("invalid-checkpoint", `the trail has no task ${JSON.stringify(task)}`);
  if (task !== "" || tasks.length <= 1) return;
  throw new TrailError("invalid-checkpoint", `the trail has ${tasks.length} tasks: name the checkpoint's`);
}

function shown(
  { ok, length, tasks, unassigned }: TasksReport,
  anchor: Anchor | undefined,
): Omit<TrailResult, "bytes" | "milliseconds"> {
  const chains = unassigned.length === 0 ? tasks : [...tasks, unassigned];
  const problems = chains
    .flatMap((chain) => chain.problems)
    .map(({ kind, message, path, position, index }) => ({
      kind,
      message,
      ...(path !== undefined && { path }),
      at: position ?? index,
    }))
    .sort((a, b) => a.at - b.at)
    .slice(0, MAX_PROBLEMS);
  return {
    ok: ok && length > 0,
    records: length,
    chains: chains.slice(0, MAX_CHAINS).map(({ checkpointed, head, length, problemCount, taskId }) => ({
      checkpointed,
      head,
      length,
      problemCount,
      taskId,
    })),
    tasks: tasks.length,
    problemCount: chains.reduce((sum, { problemCount }) => sum + problemCount, 0),
    problems,
    ...(anchor && {
      anchor: {
        isSigned: anchor.isSigned,
        origin: anchor.origin,
        size: anchor.head.size,
        fits: chains.some((chain) => isCovered(chain, anchor.head.size)),
      },
    }),
  };
}

/** Returns whether a chain begins with its checkpoint's records and none of these has a problem. */
function isCovered({ checkpointed, firstBadIndex }: ChainReport, size: number): boolean {
  return checkpointed !== null && checkpointed >= size && (firstBadIndex === null || firstBadIndex >= size);
}
