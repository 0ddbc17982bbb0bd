import { isSha256Hex } from "@agentprint/canonical-json";
import { computeHash, type ThoughtRecord, ThoughtRecordSchema, ZERO_HASH } from "@agentprint/trail";
import { formatThoughtLine } from "@agentprint/trail/chain";
import {
  type Checkpoint,
  type CheckpointTrust,
  isHeadOfDropped,
  parseCheckpoint,
  parseNote,
  TrailError,
  verifyCheckpoint,
  verifyConsistencyProof,
  verifyInclusionProof,
} from "@agentprint/trail/checkpoint";
import { provenIndexes } from "./create-evidence.ts";
import type { EvidenceCheckpoint, EvidencePeriod, EvidenceTrail } from "./evidence.ts";
import { isBefore, isBehind } from "./period.ts";
import type { PartBytes, ReportProblem } from "./problem.ts";

interface TrailSurroundings {
  readonly parts: PartBytes;
  readonly log: CheckpointTrust | undefined;
  readonly period: EvidencePeriod;
}

/** A readable checkpoint, whoever signed it. */
interface ReadCheckpoint extends EvidenceCheckpoint {
  readonly head: Checkpoint;
  /** Whether the log signed the checkpoint, if the auditor knows a log. */
  readonly counts: boolean;
}

/** Why a checkpoint from another log or signer proves nothing here, although it is not wrong. */
const UNTRUSTED: ReadonlySet<string> = new Set(["unknown-signer", "too-few-witnesses"]);

/** Reports errors in a task's records for a period, and records that no checkpoint covers. */
export function verifyTrail(
  trail: EvidenceTrail,
  { parts, log, period }: TrailSurroundings,
  report: ReportProblem,
): void {
  const records = recordsOf(trail, parts(trail.records), report);
  const checkpoints = trail.checkpoints.flatMap((checkpoint) => readCheckpoint(checkpoint, parts, log, report) ?? []);
  if (records === undefined) return;
  verifyProofs(trail, records, checkpoints, report);
  const before = records[0]?.prev_hash;
  const isDropped = checkpoints.some(({ head, counts }) => counts && isHeadOfDropped(head, trail.first, before));
  verifyExtent(trail, records, { size: checkpoints.at(-1)?.head.size, period, isDropped }, report);
}

/** Returns the records in a part, or `undefined` if they are not a piece of one chain. */
function recordsOf(
  { task, first, records: part }: EvidenceTrail,
  bytes: Uint8Array,
  report: ReportProblem,
): readonly ThoughtRecord[] | undefined {
  const lines = linesOf(bytes);
  const records: ThoughtRecord[] = [];
  const ids = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const record = recordIn(line);
    const expected = records.at(-1)?.hash ?? (first === 0 ? ZERO_HASH : record?.prev_hash);
    const isNext = record?.task_id === task && record.prev_hash === expected && !ids.has(record.id);
    if (record === undefined || !isNext) {
      report(
        "evidence/records-altered",
        part,
        `the record ${first + index} is altered, or does not follow the previous one`,
      );
      return undefined;
    }
    ids.add(record.id);
    records.push(record);
  }
  return records;
}

/**
 * Returns the lines of a text in which each line ends with a line feed. Any other text is one line that is not a
 * record.
 */
function linesOf(bytes: Uint8Array): string[] {
  const text = textOf(bytes);
  return text.endsWith("\n") ? text.slice(0, -1).split("\n") : [""];
}

/** Returns the text of UTF-8 bytes, or an empty string if they are not UTF-8. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "";
  }
}

/** Returns the record in a line, or `undefined` if the line is not canonical or the hash is not the record's. */
function recordIn(line: string): ThoughtRecord | undefined {
  try {
    const { data } = ThoughtRecordSchema.safeParse(JSON.parse(line));
    if (data === undefined || !isSha256Hex(data.prev_hash) || formatThoughtLine(data) !== `${line}\n`) return undefined;
    return computeHash(data) === data.hash ? data : undefined;
  } catch {
    return undefined;
  }
}

function readCheckpoint(
  checkpoint: EvidenceCheckpoint,
  parts: PartBytes,
  log: CheckpointTrust | undefined,
  report: ReportProblem,
): ReadCheckpoint | undefined {
  const { note } = checkpoint;
  try {
    const text = textOf(parts(note));
    const head = parseCheckpoint(parseNote(text).text);
    if (log !== undefined) return { ...checkpoint, head, counts: isSigned(text, note, log, report) };
    report("evidence/not-verified", note, "no log's key was given: nothing proves who signed it");
    return { ...checkpoint, head, counts: true };
  } catch (error) {
    if (!(error instanceof TrailError)) throw error;
    report("evidence/checkpoint-invalid", note, error.message);
    return undefined;
  }
}

function isSigned(text: string, note: string, log: CheckpointTrust, report: ReportProblem): boolean {
  try {
    verifyCheckpoint(text, log);
    return true;
  } catch (error) {
    if (!(error instanceof TrailError && UNTRUSTED.has(error.code))) throw error;
    report("evidence/not-verified", note, error.message);
    return false;
  }
}

function verifyProofs(
  { first }: EvidenceTrail,
  records: readonly ThoughtRecord[],
  checkpoints: readonly ReadCheckpoint[],
  report: ReportProblem,
): void {
  let before: Checkpoint | undefined;
  for (const { note, head, inclusion, consistency } of checkpoints) {
    const indexes = provenIndexes(first, first + records.length, head.size);
    const isIncluded =
      inclusion.length === indexes.length &&
      inclusion.every(
        (proof, at) =>
          proof.index === indexes[at] &&
          holds(() => verifyInclusionProof(proof, records[proof.index - first]?.hash ?? "", head)),
      );
    if (!isIncluded) report("evidence/proof-invalid", note, "the records differ from those that the checkpoint covers");
    if (!isConsistent(before, head, consistency)) {
      report("evidence/proof-invalid", note, "the checkpoint does not continue the previous one");
    }
    before = head;
  }
}

function isConsistent(
  before: Checkpoint | undefined,
  head: Checkpoint,
  proof: EvidenceCheckpoint["consistency"],
): boolean {
  if (before === undefined || proof === undefined) return before === proof;
  return holds(() => verifyConsistencyProof(proof, before, head));
}

/** Returns whether a proof holds. A proof with impossible numbers does not. */
function holds(verify: () => boolean): boolean {
  try {
    return verify();
  } catch (error) {
    if (!(error instanceof TrailError)) throw error;
    return false;
  }
}

function verifyExtent(
  { task, first, records: part }: EvidenceTrail,
  records: readonly ThoughtRecord[],
  {
    size,
    period,
    isDropped,
  }: {
    readonly size: number | undefined;
    readonly period: EvidencePeriod;
    /** Whether a checkpoint says that the earlier records were dropped. */
    readonly isDropped: boolean;
  },
  report: ReportProblem,
): void {
  const end = first + records.length;
  const [oldest, newest] = [records[0], records.at(-1)];
  if (first > 0 && oldest && !isBefore(oldest.timestamp, period)) {
    const dropped = `records 0 to ${first - 1} of task ${task} were dropped, as a checkpoint says: nothing shows which of them were in the period`;
    if (isDropped) report("evidence/not-verified", part, dropped);
    else
      report(
        "evidence/period-cut",
        part,
        `the chain of task ${task} has ${first} earlier records, which may be in the period`,
      );
  }
  const isClosed = newest !== undefined && isBehind(newest.timestamp, period);
  if (!isClosed && size !== undefined && size > end) {
    report(
      "evidence/period-cut",
      part,
      `a checkpoint covers ${size} records of task ${task}, but the bundle ends after ${end}`,
    );
  } else if (!isClosed && period.to !== undefined) {
    report("evidence/not-verified", part, `nothing shows that task ${task} has no further record before ${period.to}`);
  }
  if (size === undefined || size < end) {
    report("evidence/not-verified", part, `no checkpoint covers the records of task ${task} from ${size ?? first} on`);
  }
}
