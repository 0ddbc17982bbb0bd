import { checkArgument } from "../check-argument.ts";
import { haveDifferentIds } from "../engine/record-index.ts";
import { TrailError } from "../errors.ts";
import { ZERO_HASH } from "../record/record.ts";
import type { ChainReport } from "./chain-report.ts";
import { MAX_LISTED } from "./problem-log.ts";
import { LineReader } from "./thought-lines.ts";
import { UncoveredMembersLog } from "./uncovered-members.ts";
import type { TaskLinesReport } from "./verify-lines.ts";
import { checkTaskCount, type TaskPart, TasksVerifier, type VerifyTasksOptions } from "./verify-tasks.ts";

const PART = {
  tasks: "array",
  uncovered: "array",
  unassigned: "object",
  length: "number",
  endsBlank: "boolean",
} as const;

type PartOptions = Omit<VerifyTasksOptions, "checkpoints">;

/** The report on one part of a text: plain data that can be sent to another thread. */
export interface PartReport extends Pick<TaskLinesReport, "length" | "unassigned" | "uncovered"> {
  /** In the order of their first records in the part. */
  readonly tasks: readonly TaskPart[];
  /** Whether the last line is blank, which only the last line of the complete text may be. */
  readonly endsBlank: boolean;
}

/**
 * Verifies one part (whole lines) of a JSON Lines text of many tasks as if everything before it were in order, while other
 * verifiers read the other parts.
 *
 * @throws {@link TrailError} from `push`: `too-many-tasks`, `line-too-long`.
 *
 * @example
 * ```ts
 * import { joinParts, PartVerifier } from "@agentprint/trail/chain";
 *
 * const lines = records.map((record) => new TextEncoder().encode(`${JSON.stringify(record)}\n`));
 * const verifiers = [new PartVerifier(), new PartVerifier()];
 * lines.forEach((line, index) => verifiers[index < lines.length / 2 ? 0 : 1]?.push(line));
 * console.log(joinParts(verifiers.map((verifier) => verifier.finish()))?.ok); // true
 * ```
 */
export class PartVerifier {
  readonly #reader = new LineReader();
  readonly #verifier: TasksVerifier;
  readonly #uncovered: UncoveredMembersLog;

  constructor(options: PartOptions = {}) {
    checkArgument("options", options, "object");
    this.#verifier = new TasksVerifier({ ...options, isPart: true });
    this.#uncovered = new UncoveredMembersLog(options.maxProblems);
  }

  /** Takes the next bytes of the part. */
  push(chunk: Uint8Array): void {
    this.#add(this.#reader.read(chunk));
  }

  /** Returns the report on everything that was pushed; `undefined` if there is a problem. */
  finish(): PartReport | undefined {
    this.#add(this.#reader.end());
    const { ok, length, unassigned } = this.#verifier.finish();
    if (!ok) return undefined;
    const { endsBlank } = this.#reader;
    return { length, unassigned, uncovered: this.#uncovered.found, tasks: this.#verifier.parts, endsBlank };
  }

  #add(values: readonly unknown[]): void {
    for (const value of values) {
      this.#verifier.push(value);
      this.#uncovered.push(value);
    }
  }
}

/**
 * Joins the reports on all parts of a text, in order, to the report that `verifyTaskLines` gives on the complete text.
 *
 * @param options - The options that each {@link PartVerifier} was given.
 * @returns `undefined` if the text has a problem, inside a part or between two parts; `verifyTaskLines` reports which.
 * @throws {@link TrailError} `too-many-tasks` when the parts have more than `maxTasks` together.
 */
export function joinParts(
  parts: readonly (PartReport | undefined)[],
  options: PartOptions = {},
): TaskLinesReport | undefined {
  checkArgument("parts", parts, "array");
  if (parts.length === 0) throw new TrailError("invalid-argument", "parts: expected at least one part, received none");
  checkArgument("options", options, "object");
  const { maxProblems = MAX_LISTED, maxTasks } = options;
  const partsOfTasks = new Map<string | null, TaskPart[]>();
  const uncovered: TaskLinesReport["uncovered"][number][] = [];
  let length = 0;
  let isBlankBefore = false;
  for (const part of parts) {
    if (part === undefined) return undefined;
    checkArgument("part", part, PART);
    if (isBlankBefore && (part.length > 0 || part.endsBlank)) return undefined;
    isBlankBefore ||= part.endsBlank;
    for (const task of part.tasks) {
      const { taskId } = task.report;
      const earlier = partsOfTasks.get(taskId);
      if (earlier === undefined) partsOfTasks.set(taskId, [task]);
      else earlier.push(task);
    }
    for (const members of part.uncovered) uncovered.push({ ...members, line: members.line + length });
    length += part.length;
  }
  checkTaskCount(partsOfTasks.size, maxTasks);
  const tasks: ChainReport[] = [];
  for (const partsOfTask of partsOfTasks.values()) {
    const report = joinTask(partsOfTask);
    if (report === undefined) return undefined;
    tasks.push(report);
  }
  const { unassigned } = parts[0] as PartReport;
  return { ok: true, length, tasks, unassigned, uncovered: uncovered.slice(0, maxProblems), hasHashes: length > 0 };
}

/** Returns the report on one task; `undefined` if a part does not follow the previous one, or an id is in two parts. */
function joinTask(parts: readonly TaskPart[]): ChainReport | undefined {
  let head: string | null = ZERO_HASH;
  let length = 0;
  for (const { report, follows } of parts) {
    if (follows !== head) return undefined;
    head = report.head;
    length += report.length;
  }
  if (!haveDifferentIds(parts.map(({ ids }) => ids))) return undefined;
  const { report } = parts[0] as TaskPart;
  return { ...report, length, head, anchored: report.anchored.map(({ from }) => ({ from, to: length - 1 })) };
}
