import { isSha256Hex } from "@agentprint/canonical-json";
import { TrailError } from "../errors.ts";
import { type AuthorFields, computeAuthorCommitment } from "../record/digest.ts";
import { MerkleTree } from "./merkle.ts";

/** The state of a chain at a checkpoint. */
export interface TreeHead {
  /** Number of records. */
  readonly size: number;
  /** Root of the Merkle tree over their hashes, 64 lowercase hex digits. */
  readonly rootHash: string;
  /** Root of the Merkle tree over their author commitments, where the checkpoint protects authorship. */
  readonly authorRootHash?: string;
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
  readonly #records = new MerkleTree();
  readonly #authors: MerkleTree | undefined;

  /** @param options.authors whether to add the root over the author commitments. Default `false`. */
  constructor(options: { readonly authors?: boolean } = {}) {
    this.#authors = options.authors ? new MerkleTree() : undefined;
  }

  /** Number of records so far. */
  get size(): number {
    return this.#records.size;
  }

  /** @throws {@link TrailError} `invalid-hash` when `record.hash` is not 64 lowercase hex digits. */
  append(record: AuthorFields): void {
    this.#records.append(record.hash);
    this.#authors?.append(computeAuthorCommitment(record));
  }

  /** The tree head of the records so far. */
  treeHead(): TreeHead {
    const head = { size: this.#records.size, rootHash: this.#records.rootHash() };
    return this.#authors ? { ...head, authorRootHash: this.#authors.rootHash() } : head;
  }
}

/**
 * Checks that `head` is a tree head: a size and a root, or two.
 *
 * @throws {@link TrailError} `invalid-checkpoint` with the path of the field when it is none.
 */
export function checkTreeHead(head: TreeHead): void {
  const { size, rootHash, authorRootHash } = (head ?? {}) as Partial<TreeHead>;
  if (!Number.isSafeInteger(size) || Number(size) < 0) refuse("size", "a whole number of records");
  if (!isSha256Hex(rootHash)) refuse("rootHash", "64 lowercase hex digits");
  if (authorRootHash !== undefined && !isSha256Hex(authorRootHash)) refuse("authorRootHash", "64 lowercase hex digits");
}

function refuse(field: string, expected: string): never {
  const path = `/${field}`;
  throw new TrailError("invalid-checkpoint", `not a tree head: expected ${expected} at ${path}`, { path });
}
