import { isJsonObject, parseJson } from "@agentprint/canonical-json";
import { parseThoughtLines, TrailError } from "@agentprint/trail/chain";
import type { AuthorFields } from "@agentprint/trail/checkpoint";
import {
  createInclusionProof,
  type InclusionProof,
  type TreeHead,
  TreeHeadBuilder,
  verifyInclusionProof,
} from "@agentprint/trail/checkpoint";
import { type AnchorInput, readAnchor } from "./anchor.ts";
import type { Progress } from "./job.ts";
import { openedTrail } from "./trail-job.ts";

/** The record to prove, by its 0-based line number. */
export interface ProofInput {
  readonly at: number;
}

/** A proof, as `agentprint trail prove` writes it, and whether it holds. */
export interface ProofResult {
  readonly text: string;
  readonly holds: boolean;
  /** The tree that contains the record: the checkpoint's tree, or else the tree of all records of the task. */
  readonly of: "checkpoint" | "trail";
  readonly size: number;
}

/**
 * Proves that a record of the last verified trail is in the tree of the checkpoint or of its task.
 *
 * @throws {TrailError} as `createInclusionProof` does
 */
export async function proofJob({ at }: ProofInput, onProgress: (progress: Progress) => void): Promise<ProofResult> {
  const trail = openedTrail();
  const [record] = (await trail.valuesOf(at, at + 1)) as (AuthorFields & { task_id: string })[];
  if (record === undefined || record instanceof Error)
    throw new TrailError("invalid-index", "the line is not a record");
  const hashes: string[] = [];
  let index = 0;
  let line = 0;
  const tree = new TreeHeadBuilder();
  for await (const value of parseThoughtLines(trail.read(onProgress))) {
    const other = value as Partial<typeof record> | null;
    if (line++ === at) index = hashes.length;
    if (other?.task_id !== record.task_id || typeof other.hash !== "string") continue;
    hashes.push(other.hash);
    tree.append(other as AuthorFields);
  }
  const anchored = trail.anchor?.head;
  const isAnchored = anchored !== undefined && index < anchored.size && anchored.size <= hashes.length;
  const head: TreeHead = isAnchored ? anchored : tree.treeHead();
  const proof = await createInclusionProof(hashes, index, head.size);
  return {
    text: `${JSON.stringify({ recordHash: record.hash, ...proof }, null, 2)}\n`,
    holds: verifyInclusionProof(proof, record.hash, head),
    of: isAnchored ? "checkpoint" : "trail",
    size: head.size,
  };
}

/** A proof that the user was given, and its checkpoint. */
export interface GivenProofInput extends AnchorInput {
  readonly proof: string;
}

/** Whether a proof holds, and whether the signature of the checkpoint was checked. */
export interface GivenProofResult {
  readonly holds: boolean;
  readonly isSigned: boolean;
  readonly index: number;
}

/**
 * Verifies a given proof against a checkpoint, without the trail.
 *
 * @throws {TrailError} invalid-checkpoint when there is none, invalid-proof when the text is not a proof; and as
 * `readAnchor` does
 */
export function givenProofJob({ proof: text, ...given }: GivenProofInput): GivenProofResult {
  const anchor = readAnchor(given);
  if (anchor === undefined)
    throw new TrailError("invalid-checkpoint", "a proof is verified against a checkpoint, so give one");
  const value = parseJson(text);
  if (!isJsonObject(value))
    throw new TrailError("invalid-proof", "expected an object with recordHash, index, size and hashes");
  const proof = value as unknown as InclusionProof & { recordHash: string };
  const holds = verifyInclusionProof(proof, proof.recordHash, anchor.head);
  return { holds, isSigned: anchor.isSigned, index: proof.index };
}
