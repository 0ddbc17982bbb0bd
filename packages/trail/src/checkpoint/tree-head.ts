import { isSha256Hex } from "@agentprint/canonical-json";
import { TrailError } from "../errors.ts";
import { type AuthorFields, computeAuthorCommitment } from "../record/digest.ts";
import { type CoveredRange, isRangeOf, peaksOf, RangeTracker } from "./covered-range.ts";
import { MerkleTree } from "./merkle.ts";

/** The state of a chain at a checkpoint. */
export interface TreeHead {
  /** Number of records. */
  readonly size: number;
  /** Root of the Merkle tree over their hashes, 64 lowercase hex digits. */
  readonly rootHash: string;
  /** Root of the Merkle tree over their author commitments, where the checkpoint protects authorship. */
  readonly authorRootHash?: string;
  /** What is needed to verify the records behind these once these were dropped. */
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
  /** The head of records that were dropped; the first record that is appended follows them. */
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

  constructor({ authors = false, range = false, behind }: TreeHeadOptions = {}) {
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
    this.#records.append(record.hash);
    this.#authors?.append(computeAuthorCommitment(record));
  }

  /** The tree head of the records so far. */
  treeHead(): TreeHead {
    const head = { size: this.#records.size, rootHash: this.#records.rootHash() };
    if (this.#authors === undefined) return head;
    const range = this.#tracker?.range(this.#records, this.#authors);
    return { ...head, authorRootHash: this.#authors.rootHash(), ...(range && { range }) };
  }
}

/**
 * Checks that `head` is a tree head: a size and a root, or two.
 *
 * @throws {@link TrailError} `invalid-checkpoint` with the path of the field when it is none.
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
