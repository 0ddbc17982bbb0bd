import {
  createNoteVerifier,
  TreeHeadBuilder,
  verifyCheckpoint,
  verifyInclusionProof,
} from "@agentprint/trail/checkpoint";
import { computeHash, type ThoughtRecord, ZERO_HASH } from "@agentprint/trail/record";

/** A page of `/agents/{agent_id}/history`, as received. */
export interface HistoryAnswer {
  readonly origin: string;
  readonly checkpoint: string | null;
  readonly entries: readonly {
    readonly version: number;
    readonly record: ThoughtRecord;
    readonly proof: { readonly index: number; readonly size: number; readonly hashes: readonly string[] } | null;
  }[];
  readonly next: number | null;
}

/** The result of checking a record. */
type RecordFinding = "ok" | "okUnsigned" | "altered";

/** The results of checking a history. */
export interface HistoryFindings {
  readonly records: readonly { readonly version: number; readonly hash: string; readonly finding: RecordFinding }[];
  /** The newest checkpoint's size; 0 if there is none. */
  readonly signed: number;
  /** Whether the kept checkpoint matches, and its size; absent if no checkpoint was kept. */
  readonly kept?: { readonly size: number; readonly fits: boolean };
}

/**
 * Verifies a history page by page: each record's hash, its link to the previous record, its version, and its place in
 * the checkpoint, which must be signed with `key`. Also checks that the history begins with the records that the
 * checkpoint `kept` covers.
 *
 * @throws {@link TrailError} when a key or a checkpoint is malformed or a signature is not valid.
 */
export async function checkHistory(
  pages: AsyncIterable<HistoryAnswer>,
  key: string,
  kept: string,
): Promise<HistoryFindings> {
  const log = createNoteVerifier(key);
  const records: { version: number; hash: string; finding: RecordFinding }[] = [];
  const tree = new TreeHeadBuilder();
  let signed = 0;
  let early: { size: number; rootHash: string } | undefined;
  let fits = false;
  let previous = ZERO_HASH;
  for await (const { origin, checkpoint, entries } of pages) {
    const head = checkpoint === null ? undefined : verifyCheckpoint(checkpoint, { origin, log });
    signed = head?.size ?? signed;
    if (kept !== "") early ??= verifyCheckpoint(kept, { origin, log });
    for (const { version, record, proof } of entries) {
      const isWhole =
        computeHash(record) === record.hash &&
        record.prev_hash === previous &&
        version === records.length + 1 &&
        JSON.parse(record.content).capability_manifest_version === version;
      const isProven =
        proof && head
          ? proof.index === version - 1 && verifyInclusionProof(proof, record.hash, head)
          : version > signed;
      const finding = !isWhole || !isProven ? "altered" : proof ? "ok" : "okUnsigned";
      records.push({ version, hash: record.hash, finding });
      previous = record.hash;
      tree.append(record);
      if (early?.size === records.length) fits = tree.treeHead().rootHash === early.rootHash;
    }
  }
  // A checkpoint that covers more records than these shows that the last records were cut off.
  if (signed > records.length) records.push({ version: records.length + 1, hash: "", finding: "altered" });
  return { records, signed, ...(early && { kept: { size: early.size, fits } }) };
}
