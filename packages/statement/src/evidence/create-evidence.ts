import { canonicalizeToBytes, sha256Hex } from "@agentprint/canonical-json";
import type { ThoughtRecord } from "@agentprint/trail";
import { formatThoughtLine } from "@agentprint/trail/chain";
import {
  createConsistencyProof,
  createInclusionProof,
  isHeadOfDropped,
  parseCheckpoint,
  parseNote,
  type RangeHead,
  type TreeHead,
} from "@agentprint/trail/checkpoint";
import { toBase64 } from "../base64.ts";
import { BUNDLE_TYPE, envelopeOf, isBundle } from "../envelope.ts";
import { StatementError } from "../errors.ts";
import { timeOf } from "../fields.ts";
import type { StatementSigner } from "../keys.ts";
import { STATEMENT_TYPE } from "../statement.ts";
import {
  EVIDENCE_TYPE,
  type Evidence,
  type EvidenceCheckpoint,
  type EvidencePart,
  type EvidencePeriod,
  type EvidenceTrail,
  MAX_EVIDENCE_BYTES,
} from "./evidence.ts";
import { readEvidence } from "./evidence-shape.ts";
import { PeriodFinder } from "./period.ts";

/** A file to put into a bundle. */
export interface EvidenceFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A task's chain and its signed checkpoints. */
export interface EvidenceSource {
  readonly task: string;
  /** How many records before the remaining ones were dropped; 0 by default. */
  readonly dropped?: number;
  /** Reads the remaining records, starting from the first; it is called twice. */
  readonly read: () => AsyncIterable<ThoughtRecord>;
  readonly checkpoints: readonly string[];
}

/** A bundle's parts. */
export interface EvidenceInput {
  readonly made: Date;
  readonly versions: Readonly<Record<string, string>>;
  readonly period: EvidencePeriod;
  readonly lock: EvidenceFile;
  readonly configuration?: EvidenceFile | undefined;
  readonly attestations: readonly EvidenceFile[];
  /** The authors' statements, by the name of the server in the lock. */
  readonly statements: readonly { readonly server: string; readonly bytes: Uint8Array }[];
  readonly trails: AsyncIterable<EvidenceSource> | Iterable<EvidenceSource>;
}

const JSON_TYPE = "application/json";
const LINES_TYPE = "application/jsonl";
const NOTE_TYPE = "text/plain";

/**
 * Returns a bundle's statement, which contains the bundle's parts. A chain without a record in the period is left out.
 *
 * @throws {@link StatementError} `invalid-evidence` when two files have the same name, a checkpoint covers more records
 * than there are, or none covers exactly the dropped records
 */
export async function createEvidence(input: EvidenceInput): Promise<Evidence> {
  const { made, versions, period, lock, configuration, attestations, statements } = input;
  const parts = new Parts();
  const files = {
    lock: parts.add(lock.name, JSON_TYPE, lock.bytes),
    ...(configuration && { configuration: parts.add(configuration.name, JSON_TYPE, configuration.bytes) }),
    attestations: attestations.map(({ name, bytes }) => parts.add(`attestations/${name}`, JSON_TYPE, bytes)),
    statements: statements.map(({ server, bytes }, index) => ({
      server,
      part: parts.add(`statements/${index}.json`, isBundle(bytes) ? BUNDLE_TYPE : JSON_TYPE, bytes),
    })),
  };
  const trails: EvidenceTrail[] = [];
  for await (const source of input.trails) {
    const trail = await trailOf(source, period, parts, trails.length);
    if (trail !== undefined) trails.push(trail);
  }
  return {
    _type: STATEMENT_TYPE,
    subject: parts.all,
    predicateType: EVIDENCE_TYPE,
    predicate: { made: timeOf(made), versions, period, ...files, trails },
  };
}

/**
 * Returns the text of a bundle as one line. Without a signer it has no signature.
 *
 * @throws {@link StatementError} `invalid-evidence`
 */
export function sealEvidence(evidence: Evidence, signer?: StatementSigner): string {
  const payload = canonicalizeToBytes(evidence);
  readEvidence(payload);
  return `${JSON.stringify(envelopeOf(payload, signer))}\n`;
}

/** Collects a bundle's parts. */
class Parts {
  readonly all: EvidencePart[] = [];
  #bytes = 0;

  /** Adds a part and returns its name. */
  add(name: string, mediaType: string, bytes: Uint8Array): string {
    this.#bytes += bytes.length;
    // Base64 of Base64 takes 16 characters for 9 bytes.
    if ((this.#bytes * 16) / 9 > MAX_EVIDENCE_BYTES) {
      throw new StatementError("invalid-evidence", "the parts are too large for one bundle", {
        path: `/subject/${this.all.length}`,
        expected: `at most ${(MAX_EVIDENCE_BYTES / 2 ** 20 / 16) * 9} MiB of parts: a shorter period, or one task`,
      });
    }
    this.all.push({ name, mediaType, digest: { sha256: sha256Hex(bytes) }, content: toBase64(bytes) });
    return name;
  }
}

async function trailOf(
  { task, dropped = 0, read, checkpoints }: EvidenceSource,
  period: EvidencePeriod,
  parts: Parts,
  number: number,
): Promise<EvidenceTrail | undefined> {
  const finder = new PeriodFinder(period, dropped);
  const hashes: string[] = [];
  let before: string | undefined;
  for await (const { hash, timestamp, prev_hash } of read()) {
    before ??= prev_hash;
    hashes.push(hash);
    finder.push(timestamp);
  }
  const { first, end, isEmpty } = finder.finish();
  if (isEmpty) return undefined;
  const records = parts.add(
    `trails/${number}.jsonl`,
    LINES_TYPE,
    await linesOf(read(), first - dropped, end - dropped),
  );
  const notes = bySize(checkpoints, task, dropped + hashes.length).filter(({ head }) => head.size >= dropped);
  const behind = dropped === 0 ? undefined : droppedHead(task, notes, dropped, before);
  const proven: EvidenceCheckpoint[] = [];
  let oldSize: number | undefined;
  for (const [index, { note, head }] of notes.entries()) {
    const { size } = head;
    const name = parts.add(`trails/${number}.checkpoints/${index}.txt`, NOTE_TYPE, new TextEncoder().encode(note));
    const inclusion = provenIndexes(first, end, size).map((at) => createInclusionProof(hashes, at, size, behind));
    const consistency = oldSize === undefined ? undefined : await createConsistencyProof(hashes, oldSize, size, behind);
    proven.push({ note: name, inclusion: await Promise.all(inclusion), ...(consistency && { consistency }) });
    oldSize = size;
  }
  return { task, records, first, checkpoints: proven };
}

/**
 * Returns the indexes of the first and the last record in a range that a checkpoint covers, without a duplicate.
 */
export function provenIndexes(first: number, end: number, size: number): number[] {
  return size <= first ? [] : [...new Set([first, Math.min(end, size) - 1])];
}

/**
 * Returns the head of the dropped records, after which the chain continues with a record whose `prev_hash` is `before`.
 */
function droppedHead(task: string, notes: readonly ReadNote[], dropped: number, before: string | undefined): RangeHead {
  for (const { head } of notes) if (isHeadOfDropped(head, dropped, before)) return head;
  throw new StatementError("invalid-evidence", `no checkpoint covers the ${dropped} dropped records of task ${task}`, {
    expected: "the checkpoint that agentprint trail prune signed before it dropped them",
  });
}

interface ReadNote {
  readonly note: string;
  readonly head: TreeHead;
}

function bySize(notes: readonly string[], task: string, length: number): ReadNote[] {
  const all = notes.map((note) => ({ note, head: parseCheckpoint(parseNote(note).text) }));
  if (all.some(({ head }) => head.size > length)) {
    throw new StatementError("invalid-evidence", `a checkpoint of task ${task} covers more records than there are`, {
      expected: "a chain that agentprint trail verify finds intact",
    });
  }
  return all.sort((a, b) => a.head.size - b.head.size);
}

async function linesOf(records: AsyncIterable<ThoughtRecord>, first: number, end: number): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const lines: Uint8Array[] = [];
  let index = 0;
  for await (const record of records) {
    if (index >= end) break;
    if (index++ >= first) lines.push(encoder.encode(formatThoughtLine(record)));
  }
  const all = new Uint8Array(lines.reduce((sum, line) => sum + line.length, 0));
  let at = 0;
  for (const line of lines) {
    all.set(line, at);
    at += line.length;
  }
  return all;
}
