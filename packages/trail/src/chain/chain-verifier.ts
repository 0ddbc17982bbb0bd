import { isSha256Hex } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import type { RangeHead, TreeHead } from "../checkpoint/tree-head.ts";
import { type IdEntries, RecordIndex } from "../engine/record-index.ts";
import { quote, TrailError } from "../errors.ts";
import { computeHash } from "../record/digest.ts";
import { isRecord, recordIssues, THOUGHT_TYPES, type ThoughtRecord, ZERO_HASH } from "../record/record.ts";
import type { ChainReport } from "./chain-report.ts";
import { CheckpointAudit } from "./checkpoint-audit.ts";
import { LinkTracker } from "./link-tracker.ts";
import { MAX_LISTED, ProblemLog, RangeList, type ReportProblem } from "./problem-log.ts";

type Problem = Parameters<ReportProblem>[0];

/** How `verifyChain` verifies. */
export interface VerifyChainOptions {
  /** The task that every record must belong to. The default is the first intact record's task. */
  readonly taskId?: string;
  /**
   * Tree heads of the chain at earlier times, in any order. `verifyCheckpoint` checks their signatures; this function
   * does not. A chain may begin after the records of a head that has a `range`; the head proves these dropped records.
   */
  readonly checkpoints?: readonly TreeHead[];
  /** The hash of the last record of a chain whose records were all dropped. */
  readonly lastHash?: string | undefined;
  /** The maximum number of problems, and of ranges of each kind, that the report lists. Default 10,000. */
  readonly maxProblems?: number;
  /**
   * Returns, for a record that follows an unknown one, whether the unknown record may be in a line of a larger input
   * that could not be read, so that its absence is not a separate problem. Default: no.
   */
  readonly isLost?: () => boolean;
}

/**
 * Verifies one chain record by record. Each defect is reported once, at the record that has it; the mere consequences
 * of a defect are not reported.
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
  readonly #index: RecordIndex;
  readonly #links: LinkTracker;
  #taskId: string | null;
  #dropped: RangeHead | undefined;
  /** The number of records, including dropped ones. */
  #length = 0;
  #position: number | undefined;

  constructor(options: VerifyChainOptions = {}) {
    checkArgument("options", options, "object");
    const limit = options.maxProblems ?? MAX_LISTED;
    this.#log = new ProblemLog(limit);
    this.#anchored = new RangeList(limit);
    this.#unanchored = new RangeList(limit);
    this.#audit = new CheckpointAudit(options.checkpoints ?? []);
    this.#index = new RecordIndex((id, { index, position }, firstIndex) => {
      this.#log.add({ ...placeOf(index, position), ...duplicate(id, firstIndex, ", with other content") });
    });
    this.#links = new LinkTracker(this.#index, options.isLost ?? (() => false));
    this.#taskId = options.taskId ?? null;
    if (options.lastHash !== undefined) this.#beginBehind(options.lastHash);
  }

  /** The checkpoint of the dropped records; `undefined` if the chain has its first record. */
  get dropped(): RangeHead | undefined {
    return this.#dropped;
  }

  /** Takes the next record, or a `TrailError` instead of one; `position` is its place in a larger input. */
  push(value: unknown, position?: number): void {
    if (this.#length === 0 && isRecord(value)) this.#beginBehind(value.prev_hash);
    const index = this.#length++;
    this.#position = position;
    const anchored = isRecord(value) ? this.#accept(value, index) : this.#refuse(value, index);
    (anchored ? this.#anchored : this.#unanchored).add(index);
  }

  /** Releases the text from which the records were read, for a caller that verifies many chains at a time. */
  releaseText(): void {
    this.#index.flush();
    this.#links.releaseText();
  }

  /**
   * Begins after the record with this hash, which another verifier reads, so that the next record is expected to follow
   * it.
   */
  follow(hash: string): void {
    this.#links.beginBehind(hash, -1);
  }

  /** The ids of the records, for comparison with other verifiers' ids. */
  get ids(): IdEntries {
    return this.#index.ids;
  }

  /** The number of problems found so far. */
  get problemCount(): number {
    this.#index.flush();
    return this.#log.count;
  }

  /** Returns the report on everything that was pushed. */
  finish(): ChainReport {
    this.#index.flush();
    for (const problem of this.#audit.finish()) this.#log.add(problem);
    const { size = 0 } = this.#dropped ?? {};
    return {
      ok: this.#log.count === 0,
      taskId: this.#taskId,
      ...droppedOf(this.#dropped),
      length: this.#length - size,
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

  #beginBehind(lastHash: string): void {
    this.#dropped = this.#audit.beginBehind(lastHash);
    if (this.#dropped === undefined) return;
    this.#length = this.#dropped.size;
    this.#links.beginBehind(lastHash, this.#length - 1);
  }

  #report(index: number, problem: Problem): ReturnType<ReportProblem> {
    this.#index.flush();
    return this.#log.add({ ...placeOf(index, this.#position), ...problem });
  }

  #refuse(value: unknown, index: number): false {
    for (const problem of malformations(value)) this.#report(index, problem);
    const hash = hashOf(value);
    this.#links.appendUnreadable(hash, index);
    this.#audit.append({ agent_id: "", hash: hash ?? ZERO_HASH });
    return false;
  }

  #accept(record: ThoughtRecord, index: number): boolean {
    const computed = computeHash(record);
    const linked = record.prev_hash === this.#links.head;
    if (computed !== record.hash || !linked) {
      if (!isSha256Hex(record.hash) || !isSha256Hex(record.prev_hash)) return this.#refuse(record, index);
      if (computed !== record.hash) return this.#acceptAltered(record, computed, index);
    }
    const { id, task_id: taskId } = record;
    this.#taskId ??= taskId;
    if (taskId !== this.#taskId) {
      const message = `record ${quote(id)} belongs to task ${quote(taskId)}, not to ${quote(this.#taskId)}`;
      this.#report(index, { kind: "foreign-task", id, path: "/task_id", message });
      return false;
    }
    if (linked && this.#log.count === 0) {
      // This record is not a copy, because the earlier records are in order and it follows the last of them.
      this.#links.appendAnchored(record, index, this.#position);
      this.#audit.append(record);
      return true;
    }
    if (this.#isCopy(record, index)) return false;
    this.#audit.append(record);
    return this.#links.append(record, index, (problem) => this.#report(index, problem));
  }

  /** Enters the id of a record, reports an id that is already used, and returns whether the hash is known as well. */
  #isCopy({ id, hash }: ThoughtRecord, index: number): boolean {
    const firstIndex = this.#index.getOrInsertId(id, index);
    if (firstIndex < 0) return false;
    const isCopy = this.#index.findHash(hash) !== undefined;
    this.#report(index, duplicate(id, firstIndex, isCopy ? "" : ", with other content"));
    return isCopy;
  }

  #acceptAltered(record: ThoughtRecord, computed: string, index: number): false {
    const path = findAlteredField(record, { prevHash: this.#links.head ?? ZERO_HASH, taskId: this.#taskId });
    const what = `record ${quote(record.id)} was altered${path === "" ? "" : ` at ${path}`}`;
    const message = `${what}: expected hash ${record.hash}, computed ${computed}`;
    const problem = this.#report(index, { kind: "altered", id: record.id, path, message });
    this.#audit.append(record);
    this.#links.appendAltered(record, computed, index, problem);
    return false;
  }
}

/**
 * Returns the JSON Pointer to the one changed field that explains why `record.hash` does not match; with that field
 * restored, the hash matches again. `""` if there is no such field.
 */
function findAlteredField(record: ThoughtRecord, expected: { prevHash: string; taskId: string | null }): string {
  const matches = (change: Partial<ThoughtRecord>): boolean => computeHash({ ...record, ...change }) === record.hash;
  if (record.prev_hash !== expected.prevHash && matches({ prev_hash: expected.prevHash })) return "/prev_hash";
  if (expected.taskId !== null && matches({ task_id: expected.taskId })) return "/task_id";
  return THOUGHT_TYPES.some((type) => matches({ type })) ? "/type" : "";
}

/** Returns the problems that keep `value` from being a record with lowercase hex hashes, one per field. */
function malformations(value: unknown): Problem[] {
  if (value instanceof TrailError) {
    const { code, message, path, line, column } = value;
    const place = { ...(path === undefined ? {} : { path }), ...(line === undefined ? {} : { line }) };
    const kind = code === "truncated-line" ? "truncated" : "malformed";
    return [{ kind, message, ...place, ...(column === undefined ? {} : { column }) }];
  }
  if (isForeign(value)) {
    return [{ kind: "malformed", path: "", message: "not a record: it has neither hash nor prev_hash" }];
  }
  return recordIssues(value).map(({ field, message }) => {
    const path = field === undefined ? "" : `/${field}`;
    return { kind: "malformed", path, message: `not a record at "${path}": ${message}` };
  });
}

/** Returns whether a value is an object but not a record, such as a line of a log. */
function isForeign(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { hash, prev_hash: prevHash } = value as Partial<Record<"hash" | "prev_hash", unknown>>;
  return hash === undefined && prevHash === undefined;
}

function droppedOf(head: RangeHead | undefined): Pick<ChainReport, "dropped"> {
  if (head === undefined) return {};
  const { size, rootHash, range } = head;
  return { dropped: { size, firstHash: range.firstHash, lastHash: range.lastHash, rootHash } };
}

/** Returns the hash of a value that is not a record, if it has one. */
function hashOf(value: unknown): string | undefined {
  const hash = (value as { hash?: unknown } | null | undefined)?.hash;
  return isSha256Hex(hash) ? hash : undefined;
}

function placeOf(index: number, position: number | undefined): { index: number; position?: number } {
  return position === undefined ? { index } : { index, position };
}

function duplicate(id: string, firstIndex: number, how: string): Problem {
  const message = `record ${quote(id)} is already at index ${firstIndex}${how}`;
  return { kind: "duplicate", id, path: "/id", related: firstIndex, message };
}
