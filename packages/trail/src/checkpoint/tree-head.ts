import { isSha256Hex } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { TrailError } from "../errors.ts";
import { hashToBytes } from "../hex.ts";
import { type AuthorFields, computeAuthorCommitment } from "../record/digest.ts";
import { foldPeaks, hashLeaf, hashNode, MerkleTree } from "./merkle.ts";

/**
 * The facts that remain known about the first records of a chain after they were dropped: their first and last hash,
 * each with its audit path (RFC 6962 §2.1.1) to the tree head's root, and the perfect subtrees of the author
 * commitments. They are enough to verify the records that follow and every later tree head.
 */
export interface CoveredRange {
  readonly firstHash: string;
  readonly firstPath: readonly string[];
  readonly lastHash: string;
  readonly lastPath: readonly string[];
  /** Roots of the perfect subtrees over the author commitments, largest first. */
  readonly authorPeaks: readonly string[];
}

/** The state of a chain at a checkpoint. */
export interface TreeHead {
  /** Number of records. */
  readonly size: number;
  /** Root of the Merkle tree over the records' hashes, 64 lowercase hex digits. */
  readonly rootHash: string;
  /** Root of the Merkle tree over the records' author commitments, if the checkpoint protects authorship. */
  readonly authorRootHash?: string;
  /** With a range, the records that follow can still be verified after the covered records were dropped. */
  readonly range?: CoveredRange;
}

/** A tree head with its range. */
export type RangeHead = TreeHead & { readonly range: CoveredRange };

/** How a {@link TreeHeadBuilder} works. */
export interface TreeHeadOptions {
  /** Whether to add the root over the author commitments. Default `false`. */
  readonly authors?: boolean;
  /** Whether to add the range, and with it the author root. Default `false`. */
  readonly range?: boolean;
  /** The head of dropped records; the first appended record follows them. */
  readonly behind?: RangeHead | undefined;
}

/**
 * The tree head of a chain that grows record by record.
 *
 * @example
 * ```ts
 * import { TreeHeadBuilder } from "@agentprint/trail/checkpoint";
 *
 * const builder = new TreeHeadBuilder({ authors: true });
 * for (const record of records) builder.append(record);
 * console.log(builder.treeHead().size); // 6
 * ```
 */
export class TreeHeadBuilder {
  readonly #records: MerkleTree;
  readonly #authors: MerkleTree | undefined;
  readonly #tracker: RangeTracker | undefined;

  constructor(options: TreeHeadOptions = {}) {
    checkArgument("options", options, "object");
    const { authors = false, range = false, behind } = options;
    const size = behind?.size ?? 0;
    this.#records = new MerkleTree(size, behind && peaksOf(behind.range, size));
    this.#authors = authors || range ? new MerkleTree(size, behind?.range.authorPeaks) : undefined;
    this.#tracker = range ? new RangeTracker(behind?.range, size) : undefined;
  }

  /** Number of records so far. */
  get size(): number {
    return this.#records.size;
  }

  /** @throws {@link TrailError} `invalid-hash` when `record.hash` is not 64 lowercase hex digits. */
  append(record: AuthorFields): void {
    this.#tracker?.append(record, this.#records);
    checkArgument("record", record, "object");
    this.#records.append(record.hash);
    this.#authors?.append(computeAuthorCommitment(record));
  }

  /** Returns the tree head of the records so far. */
  treeHead(): TreeHead {
    const head = { size: this.#records.size, rootHash: this.#records.rootHash() };
    if (this.#authors === undefined) return head;
    const range = this.#tracker?.range(this.#records, this.#authors);
    return { ...head, authorRootHash: this.#authors.rootHash(), ...(range && { range }) };
  }
}

/**
 * Returns whether a head covers exactly the records that were dropped from the beginning of a chain.
 *
 * @param dropped The number of dropped records
 * @param lastHash The hash of the last dropped record, which is the `prev_hash` of the first remaining record
 *
 * @example
 * ```ts
 * import { isHeadOfDropped } from "@agentprint/trail/checkpoint";
 *
 * console.log(isHeadOfDropped(checkpoint, 3, "aa")); // false
 * ```
 */
export function isHeadOfDropped(head: TreeHead, dropped: number, lastHash: string | undefined): head is RangeHead {
  checkArgument("head", head, "object");
  return head.size === dropped && head.range !== undefined && head.range.lastHash === lastHash;
}

/**
 * Checks that `head` is a tree head: a size and a root, or two.
 *
 * @throws {@link TrailError} `invalid-checkpoint` with the path of the wrong field when it is not.
 */
export function checkTreeHead(head: TreeHead): void {
  const { size, rootHash, authorRootHash, range } = (head ?? {}) as Partial<TreeHead>;
  if (!Number.isSafeInteger(size) || Number(size) < 0) refuse("size", "a whole number of records");
  if (!isSha256Hex(rootHash)) refuse("rootHash", "64 lowercase hex digits");
  if (authorRootHash !== undefined && !isSha256Hex(authorRootHash)) refuse("authorRootHash", "64 lowercase hex digits");
  if (range !== undefined && !isRangeOf(range, head)) refuse("range", "hashes that lead to both roots");
}

function refuse(field: string, expected: string): never {
  const path = `/${field}`;
  throw new TrailError("invalid-checkpoint", `not a tree head: expected ${expected} at ${path}`, { path });
}

/** Returns whether `range` belongs to the records of `head`, so that its hashes lead to both roots. */
function isRangeOf(range: CoveredRange, { size, rootHash, authorRootHash }: TreeHead): boolean {
  const { firstHash, firstPath, lastHash, lastPath, authorPeaks } = range;
  if (![[firstHash], firstPath, [lastHash], lastPath, authorPeaks].every(areHashes)) return false;
  if (size < 1 || authorRootHash === undefined) return false;
  const peaks = peakCount(size);
  return (
    firstPath.length === heightOf(size) &&
    lastPath.length === peaks - 1 + trailingZeros(size) &&
    authorPeaks.length === peaks &&
    firstPath.reduce((left, right) => hashNode(left, right), leafOf(firstHash)) === rootHash &&
    lastPath.reduce((right, left) => hashNode(left, right), leafOf(lastHash)) === rootHash &&
    foldPeaks(authorPeaks) === authorRootHash
  );
}

/** Returns the roots of the perfect subtrees over the first `size` records, largest first. */
export function peaksOf({ lastHash, lastPath }: CoveredRange, size: number): string[] {
  const height = trailingZeros(size);
  const last = lastPath.slice(0, height).reduce((right, left) => hashNode(left, right), leafOf(lastHash));
  return [...lastPath.slice(height).toReversed(), last];
}

/** Follows the first and the last record of a tree as it grows. */
class RangeTracker {
  #first: string | undefined;
  /** The path of the first record within the largest perfect subtree. */
  #firstPath: string[] = [];
  #last = "";
  #lastPath: readonly string[] = [];

  /** @param range the range of `size` records, after which the tree continues */
  constructor(range?: CoveredRange, size = 0) {
    if (range === undefined) return;
    this.#first = range.firstHash;
    this.#firstPath = range.firstPath.slice(0, heightOf(size + 1) - 1);
    this.#last = range.lastHash;
    this.#lastPath = range.lastPath;
  }

  /** Takes the record that is about to be appended to `tree`. */
  append({ hash }: AuthorFields, tree: MerkleTree): void {
    this.#first ??= hash;
    this.#last = hash;
    this.#lastPath = tree.peaks.toReversed();
    const isPerfect = tree.size > 0 && peakCount(tree.size + 1) === 1;
    if (isPerfect) this.#firstPath.push(foldPeaks([...tree.peaks.slice(1), leafOf(hash)]));
  }

  /** Returns the range of all records of `tree`; `undefined` if there is no record. */
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

/** Returns the number of levels above the leaves of a tree of `size` leaves, 1 or more. */
function heightOf(size: number): number {
  return size === 1 ? 0 : (size - 1).toString(2).length;
}

/** Returns the number of 1 bits in `size`, which may have more than 32 bits. */
function peakCount(size: number): number {
  return size.toString(2).replaceAll("0", "").length;
}

function trailingZeros(size: number): number {
  const digits = size.toString(2);
  return digits.length - 1 - digits.lastIndexOf("1");
}
