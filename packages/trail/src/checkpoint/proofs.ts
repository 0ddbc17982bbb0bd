import { isSha256Hex } from "@agentprint/canonical-json";
import { TrailError } from "../errors.ts";
import { checkHash, hashToBytes } from "../hex.ts";
import { hashLeaf, hashNode, MerkleTree } from "./merkle.ts";
import { checkTreeHead, peaksOf, type RangeHead, type TreeHead } from "./tree-head.ts";

/** The hashes of records, in chain order. */
export type HashSource = Iterable<string> | AsyncIterable<string>;

/** Proves that the record at `index` is one of the first `size` records (RFC 6962 §2.1.1). */
export interface InclusionProof {
  readonly index: number;
  readonly size: number;
  /** The audit path, from leaf to root; 64 lowercase hex digits each. */
  readonly hashes: readonly string[];
}

/** Proves that the first `oldSize` records of a chain of `newSize` records are unchanged (RFC 6962 §2.1.2). */
export interface ConsistencyProof {
  readonly oldSize: number;
  readonly newSize: number;
  readonly hashes: readonly string[];
}

/** A tree of 2^53 records has fewer levels. */
const MAX_PROOF_HASHES = 64;

type Range = readonly [from: number, to: number];

/**
 * Returns the proof that record `index` is among the first `size` records, in one pass over their hashes. Memory grows
 * with the logarithm of `size`.
 *
 * @param hashes The hashes of all records; with `behind`, only of the records that follow that head
 * @param behind The head of records that were dropped
 * @throws {@link TrailError} `dropped-records` when the proof needs one of the dropped records, `invalid-index` unless
 * 0 ≤ `index` < `size` ≤ the number of hashes, `invalid-hash` when one of `hashes` is not 64 lowercase hex digits.
 *
 * @example
 * ```ts
 * import { createInclusionProof, verifyInclusionProof } from "@agentprint/trail/checkpoint";
 *
 * const hashes = records.map(({ hash }) => hash);
 * const proof = await createInclusionProof(hashes, 2, checkpoint.size);
 * console.log(verifyInclusionProof(proof, String(hashes[2]), checkpoint)); // true
 * ```
 */
export async function createInclusionProof(
  hashes: HashSource,
  index: number,
  size: number,
  behind?: RangeHead,
): Promise<InclusionProof> {
  checkSizes(index, size, index < size);
  if (index < (behind?.size ?? 0)) throw droppedRecords(index);
  return { index, size, hashes: await rootsOf(hashes, inclusionRanges(index, 0, size), size, behind) };
}

/**
 * Returns the proof that a chain of `newSize` records begins with the `oldSize` records that it once had.
 *
 * @param hashes The hashes of all records; with `behind`, only of the records that follow that head
 * @param behind The head of records that were dropped
 * @throws {@link TrailError} `dropped-records` when the proof needs one of the dropped records, `invalid-index` unless
 * 0 ≤ `oldSize` ≤ `newSize` ≤ the number of hashes, `invalid-hash` when one of `hashes` is not 64 lowercase hex digits.
 */
export async function createConsistencyProof(
  hashes: HashSource,
  oldSize: number,
  newSize: number,
  behind?: RangeHead,
): Promise<ConsistencyProof> {
  checkSizes(oldSize, newSize, oldSize <= newSize);
  const ranges = oldSize === 0 ? [] : consistencyRanges(oldSize, 0, newSize, true);
  return { oldSize, newSize, hashes: await rootsOf(hashes, ranges, newSize, behind) };
}

/**
 * Returns whether `proof` shows that the record with `recordHash` is in the chain that `head` describes.
 *
 * @throws {@link TrailError} `invalid-proof` when `proof` is not a proof, `invalid-checkpoint` when `head` is not a tree
 * head, `invalid-hash` when `recordHash` is not 64 lowercase hex digits.
 */
export function verifyInclusionProof(proof: InclusionProof, recordHash: string, head: TreeHead): boolean {
  const { index, size, hashes } = (proof ?? {}) as InclusionProof;
  checkProof(index, size, hashes, index < size);
  checkTreeHead(head);
  const leaf = hashToBytes(recordHash);
  if (proof.size !== head.size) return false;
  const climb = { position: proof.index, last: proof.size - 1 };
  let root = hashLeaf(leaf);
  for (const hash of proof.hashes) {
    if (climb.last === 0) return false;
    root = isRightNode(climb) ? hashNode(hash, root) : hashNode(root, hash);
    ascend(climb);
  }
  return climb.last === 0 && root === head.rootHash;
}

/**
 * Returns whether `proof` shows that the chain of `newHead` begins with the complete chain of `oldHead`.
 *
 * @throws {@link TrailError} `invalid-proof` when `proof` is not a proof, `invalid-checkpoint` when `oldHead` or `newHead`
 * is not a tree head.
 */
export function verifyConsistencyProof(proof: ConsistencyProof, oldHead: TreeHead, newHead: TreeHead): boolean {
  const { oldSize, newSize, hashes } = (proof ?? {}) as ConsistencyProof;
  checkProof(oldSize, newSize, hashes, oldSize <= newSize);
  for (const head of [oldHead, newHead]) checkTreeHead(head);
  if (oldSize !== oldHead.size || newSize !== newHead.size) return false;
  if (oldSize === 0) return hashes.length === 0 && oldHead.rootHash === new MerkleTree().rootHash();
  if (oldSize === newSize) return hashes.length === 0 && oldHead.rootHash === newHead.rootHash;
  const climb = { position: oldSize - 1, last: newSize - 1 };
  while (climb.position % 2 === 1) halve(climb);
  // If the old tree is a perfect subtree, its root is the first node of the path, and the proof leaves it out.
  const path = climb.position === 0 ? [oldHead.rootHash, ...hashes] : hashes;
  const [start, ...rest] = path;
  let oldRoot = start ?? "";
  let newRoot = oldRoot;
  for (const hash of rest) {
    if (climb.last === 0) return false;
    if (isRightNode(climb)) {
      oldRoot = hashNode(hash, oldRoot);
      newRoot = hashNode(hash, newRoot);
    } else newRoot = hashNode(newRoot, hash);
    ascend(climb);
  }
  return climb.last === 0 && oldRoot === oldHead.rootHash && newRoot === newHead.rootHash;
}

/** A node on the way to the root, as its position in its level and the last position in that level. */
interface Climb {
  position: number;
  last: number;
}

function isRightNode({ position, last }: Climb): boolean {
  return position % 2 === 1 || position === last;
}

/** Goes one level up, and further up while the node has no sibling (RFC 9162 §2.1.3.2). */
function ascend(climb: Climb): void {
  if (isRightNode(climb)) while (climb.position % 2 === 0 && climb.position > 0) halve(climb);
  halve(climb);
}

function halve(climb: Climb): void {
  climb.position = Math.floor(climb.position / 2);
  climb.last = Math.floor(climb.last / 2);
}

function inclusionRanges(index: number, from: number, to: number): Range[] {
  if (to - from === 1) return [];
  const middle = from + splitPoint(to - from);
  return index < middle
    ? [...inclusionRanges(index, from, middle), [middle, to]]
    : [...inclusionRanges(index, middle, to), [from, middle]];
}

function consistencyRanges(oldEnd: number, from: number, to: number, whole: boolean): Range[] {
  if (oldEnd === to) return whole ? [] : [[from, to]];
  const middle = from + splitPoint(to - from);
  return oldEnd <= middle
    ? [...consistencyRanges(oldEnd, from, middle, whole), [middle, to]]
    : [...consistencyRanges(oldEnd, middle, to, false), [from, middle]];
}

/** Returns the largest power of two smaller than `size`. */
function splitPoint(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** Returns the roots of disjoint ranges of records, in one pass over the hashes of the remaining records. */
async function rootsOf(
  hashes: HashSource,
  ranges: readonly Range[],
  size: number,
  behind: RangeHead | undefined,
): Promise<string[]> {
  let count = behind?.size ?? 0;
  const trees = new Map(ranges.map((range) => [range, beginTree(range, behind)]));
  const sorted = [...ranges].sort(([a], [b]) => a - b).filter(([, to]) => to > count);
  for await (const hash of hashes) {
    if (count >= size) break;
    checkHash(hash);
    if (sorted[0]?.[1] === count) sorted.shift();
    const range = sorted[0];
    if (range && count >= range[0]) trees.get(range)?.append(hash);
    count++;
  }
  if (count < size) throw new TrailError("invalid-index", `expected ${size} records, received ${count}`);
  return [...trees.values()].map((tree) => tree.rootHash());
}

/** Returns the tree of a range with the range's dropped records, of which only complete perfect subtrees are known. */
function beginTree([from, to]: Range, behind: RangeHead | undefined): MerkleTree {
  if (behind === undefined || from >= behind.size) return new MerkleTree();
  const end = Math.min(to, behind.size);
  const peaks: string[] = [];
  let at = 0;
  for (const peak of peaksOf(behind.range, behind.size)) {
    const next = at + splitPoint(behind.size - at + 1);
    if (at >= from && next <= end) peaks.push(peak);
    else if (next > from && at < end) throw droppedRecords(Math.max(at, from));
    at = next;
  }
  return new MerkleTree(end - from, peaks);
}

function droppedRecords(index: number): TrailError {
  return new TrailError("dropped-records", `the proof needs record ${index}, which was dropped`);
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function checkSizes(smaller: number, larger: number, ordered: boolean): void {
  if (!isSize(smaller) || !isSize(larger) || !ordered) {
    throw new TrailError("invalid-index", `${smaller} of ${larger} records is not a place in a chain`);
  }
}

function checkProof(smaller: number, larger: number, hashes: readonly string[], ordered: boolean): void {
  if (!isSize(smaller) || !isSize(larger) || !ordered || !Array.isArray(hashes) || hashes.length > MAX_PROOF_HASHES) {
    throw new TrailError("invalid-proof", `not a proof: ${smaller} of ${larger} records`);
  }
  if (!hashes.every((hash) => isSha256Hex(hash))) {
    throw new TrailError("invalid-proof", "not a proof: expected hashes of 64 lowercase hex digits", {
      path: "/hashes",
    });
  }
}
