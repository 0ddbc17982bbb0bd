import { isSha256Hex } from "@agentprint/canonical-json";
import { hashToBytes } from "../hex.ts";
import type { AuthorFields } from "../record/digest.ts";
import { foldPeaks, hashLeaf, hashNode, type MerkleTree } from "./merkle.ts";

/**
 * What remains of the first records of a chain after they were dropped: their first and last hash, each with its audit path
 * (RFC 6962 §2.1.1) to the root of the tree head, and the perfect subtrees of the author commitments. It is enough to
 * verify the records behind them, and every later tree head.
 */
export interface CoveredRange {
  readonly firstHash: string;
  readonly firstPath: readonly string[];
  readonly lastHash: string;
  readonly lastPath: readonly string[];
  /** Roots of the perfect subtrees over the author commitments, largest first. */
  readonly authorPeaks: readonly string[];
}

/** A tree head as far as a range is compared with it. */
interface Head {
  readonly size: number;
  readonly rootHash: string;
  readonly authorRootHash?: string;
}

/** Whether `range` is one of the records of `head`: its hashes lead to both roots. */
export function isRangeOf(range: CoveredRange, { size, rootHash, authorRootHash }: Head): boolean {
  const { firstHash, firstPath, lastHash, lastPath, authorPeaks } = range;
  if (![[firstHash], firstPath, [lastHash], lastPath, authorPeaks].every(areHashes)) return false;
  if (size < 1 || authorRootHash === undefined) return false;
  const peaks = peakCount(size);
  return (
    firstPath.length === Math.ceil(Math.log2(size)) &&
    lastPath.length === peaks - 1 + trailingZeros(size) &&
    authorPeaks.length === peaks &&
    firstPath.reduce((left, right) => hashNode(left, right), leafOf(firstHash)) === rootHash &&
    lastPath.reduce((right, left) => hashNode(left, right), leafOf(lastHash)) === rootHash &&
    foldPeaks(authorPeaks) === authorRootHash
  );
}

/** The roots of the perfect subtrees over the first `size` records, largest first. */
export function peaksOf({ lastHash, lastPath }: CoveredRange, size: number): string[] {
  const height = trailingZeros(size);
  const last = lastPath.slice(0, height).reduce((right, left) => hashNode(left, right), leafOf(lastHash));
  return [...lastPath.slice(height).toReversed(), last];
}

/** Follows the first and the last record of a tree as it grows. */
export class RangeTracker {
  #first: string | undefined;
  /** The path of the first record within the largest perfect subtree. */
  #firstPath: string[] = [];
  #last = "";
  #lastPath: readonly string[] = [];

  /** @param range of `size` records, behind which the tree goes on */
  constructor(range?: CoveredRange, size = 0) {
    if (range === undefined) return;
    this.#first = range.firstHash;
    this.#firstPath = range.firstPath.slice(0, Math.floor(Math.log2(size)));
    this.#last = range.lastHash;
    this.#lastPath = range.lastPath;
  }

  /** Takes the record that `tree` is about to get. */
  append({ hash }: AuthorFields, tree: MerkleTree): void {
    this.#first ??= hash;
    this.#last = hash;
    this.#lastPath = tree.peaks.toReversed();
    const isPerfect = tree.size > 0 && peakCount(tree.size + 1) === 1;
    if (isPerfect) this.#firstPath.push(foldPeaks([...tree.peaks.slice(1), leafOf(hash)]));
  }

  /** The range of all records of `tree`; `undefined` where there is none. */
  range(tree: MerkleTree, authors: MerkleTree): CoveredRange | undefined {
    if (this.#first === undefined) return undefined;
    const rest = tree.peaks.slice(1);
    return {
      firstHash: this.#first,
      firstPath: rest.length === 0 ? [...this.#firstPath] : [...this.#firstPath, foldPeaks(rest)],
      lastHash: this.#last,
      lastPath: this.#lastPath,
      authorPeaks: [...authors.peaks],
    };
  }
}

function areHashes(values: unknown): boolean {
  return Array.isArray(values) && values.every(isSha256Hex);
}

function leafOf(recordHash: string): string {
  return hashLeaf(hashToBytes(recordHash));
}

/** How many binary digits 1 `size` has, which may have more than 32 digits. */
function peakCount(size: number): number {
  return size.toString(2).replaceAll("0", "").length;
}

function trailingZeros(size: number): number {
  const digits = size.toString(2);
  return digits.length - 1 - digits.lastIndexOf("1");
}
