import { count } from "@agentprint/findings";
import { type EventVerifier, readEvents, type TrailEntry } from "@agentprint/recorder/events";
import type { RecordSource } from "@agentprint/trail/chain";

/** The kind of a problem with the events in an intact chain. */
export type EventProblemKind = "missing-events" | "wrong-seal";

/** One problem with events. */
export interface EventProblem {
  readonly kind: EventProblemKind;
  /** The task of the record. For missing events, their session, which is the task of its chain. */
  readonly taskId: string;
  readonly message: string;
}

/** The maximum number of problems to list. */
const MAX_PROBLEMS = 10_000;

/**
 * Returns the problems with the events in `records` that `key` sealed, or is claimed to have sealed.
 *
 * @param isDropped Whether records before the first were dropped
 */
export async function findEventProblems(
  records: RecordSource,
  key: EventVerifier,
  isDropped = false,
): Promise<EventProblem[]> {
  const problems: EventProblem[] = [];
  for await (const entry of readEvents(records, { keys: [key], isDropped: () => isDropped }))
    addProblem(problems, entry);
  return problems;
}

/** Adds the problem of an entry, if it has one. */
export function addProblem(problems: EventProblem[], entry: TrailEntry): void {
  const problem = problemOf(entry);
  if (problem && problems.length < MAX_PROBLEMS) problems.push(problem);
}

function problemOf(entry: TrailEntry): EventProblem | undefined {
  if (entry.is === "missing") {
    const message = `${count(entry.count, "event")} of session ${JSON.stringify(entry.session)} missing, and no gap accounts for that`;
    return { kind: "missing-events", taskId: entry.session, message };
  }
  // A repeated event repeats the id of its record, which is a problem in the chain.
  if (entry.is !== "text" || entry.why !== "wrong-seal") return undefined;
  const { id, task_id: taskId } = entry.record;
  const message = `record ${JSON.stringify(id)} has an event that names the key, but the key did not seal it there`;
  return { kind: "wrong-seal", taskId, message };
}
