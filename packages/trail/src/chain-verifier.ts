import { blameField } from "./blame.ts";
import type { ChainReport } from "./chain-report.ts";
import { CheckpointAudit } from "./checkpoint-audit.ts";
import { quote } from "./errors.ts";
import { isHash } from "./hex.ts";
import { IdIndex } from "./id-index.ts";
import { LinkTracker, type Report } from "./link-tracker.ts";
import { ProblemLog, RangeList } from "./problem-log.ts";
import { asRecord, hashOf, malformations } from "./read-record.ts";
import { computeHash, type ThoughtRecord, ZERO_HASH } from "./schema.ts";
import type { TreeHead } from "./tree-head.ts";

const BATCH = 16;

/** How `verifyChain` verifies. */
export interface VerifyChainOptions {
  /** The task that every record must have. Default: that of the first record whose hash is right. */
  readonly taskId?: string;
  /** What was once seen of the chain, in any order; signatures are checked by `verifyCheckpoint`, not here. */
  readonly checkpoints?: readonly TreeHead[];
  /** How many problems, and ranges of each kind, the report lists at most. Default 10,000. */
  readonly maxProblems?: number;
}

/**
 * Verifies one chain record by record. Each defect is reported once, where it is; what merely follows from it is not.
 *
 * @example
 * ```ts
 * import { ChainVerifier } from "@agentprint/trail/chain";
 *
 * const verifier = new ChainVerifier({ taskId: "task-42" });
 * for (const record of records) verifier.push(record);
 * console.log(verifier.finish().ok);
 * ```
 */
export class ChainVerifier {
  readonly #log: ProblemLog;
  readonly #anchored: RangeList;
  readonly #unanchored: RangeList;
  readonly #audit: CheckpointAudit;
  readonly #ids = new IdIndex();
  readonly #links = new LinkTracker();
  // Ids of records that follow the one before, to be looked up: many in a row take half the time.
  readonly #waiting: { id: string; index: number; position: number | undefined }[] = [];
  #taskId: string | null;
  #length = 0;
  #position: number | undefined;

  constructor(options: VerifyChainOptions = {}) {
    const limit = options.maxProblems ?? 10_000;
    this.#log = new ProblemLog(limit);
    this.#anchored = new RangeList(limit);
    this.#unanchored = new RangeList(limit);
    this.#audit = new CheckpointAudit(options.checkpoints ?? []);
    this.#taskId = options.taskId ?? null;
  }

  /** The next record, or a `TrailError` in its place; `position` is its place in a larger input. */
  push(value: unknown, position?: number): void {
    const index = this.#length++;
    this.#position = position;
    const record = asRecord(value);
    const anchored = record ? this.#accept(record, index) : this.#refuse(value, index);
    (anchored ? this.#anchored : this.#unanchored).add(index);
  }

  /** How many problems there are so far. */
  get problemCount(): number {
    this.#lookUpWaiting();
    return this.#log.count;
  }

  /** The report on all that was pushed. */
  finish(): ChainReport {
    this.#lookUpWaiting();
    for (const problem of this.#audit.finish()) this.#log.add(problem);
    return {
      ok: this.#log.count === 0,
      taskId: this.#taskId,
      length: this.#length,
      head: this.#links.head,
      firstBadIndex: this.#log.firstBadIndex,
      problems: this.#log.problems,
      problemCount: this.#log.count,
      counts: this.#log.counts,
      anchored: this.#anchored.ranges,
      unanchored: this.#unanchored.ranges,
      checkpointed: this.#audit.checkpointed,
    };
  }

  #report(index: number, problem: Parameters<Report>[0]): ReturnType<Report> {
    this.#lookUpWaiting();
    return this.#log.add({ ...placeOf(index, this.#position), ...problem });
  }

  #refuse(value: unknown, index: number): false {
    for (const problem of malformations(value)) this.#report(index, problem);
    const hash = hashOf(value);
    this.#links.followUnreadable(hash, index);
    this.#audit.append({ agent_id: "", hash: hash ?? ZERO_HASH });
    return false;
  }

  #accept(record: ThoughtRecord, index: number): boolean {
    const computed = computeHash(record);
    const linked = record.prev_hash === this.#links.head;
    if (computed !== record.hash || !linked) {
      if (!isHash(record.hash) || !isHash(record.prev_hash)) return this.#refuse(record, index);
      if (computed !== record.hash) return this.#acceptAltered(record, computed, index);
    }
    const { id, task_id: taskId } = record;
    this.#taskId ??= taskId;
    if (taskId !== this.#taskId) {
      const message = `record ${quote(id)} is of task ${quote(taskId)}, not of ${quote(this.#taskId)}`;
      this.#report(index, { kind: "foreign-task", id, path: "/task_id", message });
      return false;
    }
    if (linked && this.#log.count === 0) {
      this.#lookUpLater(id, index);
      this.#audit.append(record);
      return this.#links.followHead(record, index);
    }
    if (this.#isCopy(record, index)) return false;
    this.#audit.append(record);
    return this.#links.follow(record, index, (problem) => this.#report(index, problem));
  }

  /** For a record that cannot be a copy: all before it are in order, and this one is behind the last of them. */
  #lookUpLater(id: string, index: number): void {
    this.#waiting.push({ id, index, position: this.#position });
    if (this.#waiting.length >= BATCH) this.#lookUpWaiting();
  }

  #lookUpWaiting(): void {
    for (const { id, index, position } of this.#waiting) {
      const twin = this.#ids.claim(id, index);
      if (twin >= 0) this.#log.add({ ...placeOf(index, position), ...duplicate(id, twin, ", with other content") });
    }
    this.#waiting.length = 0;
  }

  #isCopy({ id, hash }: ThoughtRecord, index: number): boolean {
    this.#lookUpWaiting();
    const twin = this.#ids.claim(id, index);
    const isCopy = twin >= 0 && this.#links.has(hash);
    if (twin >= 0) this.#report(index, duplicate(id, twin, isCopy ? "" : ", with other content"));
    return isCopy;
  }

  #acceptAltered(record: ThoughtRecord, computed: string, index: number): false {
    const path = blameField(record, { prevHash: this.#links.head ?? ZERO_HASH, taskId: this.#taskId });
    const what = `record ${quote(record.id)} was altered${path === "" ? "" : ` at ${path}`}`;
    const message = `${what}: expected hash ${record.hash}, computed ${computed}`;
    const problem = this.#report(index, { kind: "altered", id: record.id, path, message });
    this.#audit.append(record);
    this.#links.followAltered(record, computed, index, problem);
    return false;
  }
}

function placeOf(index: number, position: number | undefined): { index: number; position?: number } {
  return position === undefined ? { index } : { index, position };
}

function duplicate(id: string, twin: number, how: string): Parameters<Report>[0] {
  const message = `record ${quote(id)} is already at index ${twin}${how}`;
  return { kind: "duplicate", id, path: "/id", related: twin, message };
}
