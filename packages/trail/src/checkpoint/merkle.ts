import { sha256Hex } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { hashToBytes, writeHex } from "../hex.ts";

/** RFC 6962 §2.1: the hashed bytes of a leaf and of a node begin with different prefixes, so that neither can pass as the other. */
const LEAF_PREFIX = 0;
const NODE_PREFIX = 1;

/** Returns the hash of a node (RFC 6962 §2.1): SHA-256 of 0x01, `left`, `right`; hex in, hex out. */
export function hashNode(left: string, right: string): string {
  const node = new Uint8Array(65);
  node[0] = NODE_PREFIX;
  writeHex(left, node, 1);
  writeHex(right, node, 33);
  return sha256Hex(node);
}

/** Returns the hash of a leaf (RFC 6962 §2.1): SHA-256 of 0x00 and `data`. */
export function hashLeaf(data: Uint8Array): string {
  const leaf = new Uint8Array(1 + data.length);
  leaf[0] = LEAF_PREFIX;
  leaf.set(data, 1);
  return sha256Hex(leaf);
}

/**
 * The RFC 6962 Merkle tree over record hashes, grown one record at a time in memory that grows with the logarithm of
 * its size.
 *
 * @example
 * ```ts
 * import { MerkleTree } from "@agentprint/trail/checkpoint";
 *
 * const tree = new MerkleTree();
 * for (const { hash } of records) tree.append(hash);
 * console.log(tree.size, tree.rootHash());
 * ```
 */
export class MerkleTree {
  #size: number;
  readonly #peaks: string[];

  /**
   * Creates the tree of the first `size` leaves, whose perfect subtrees have the roots `peaks`; without arguments, the
   * empty tree.
   */
  constructor(size = 0, peaks: readonly string[] = []) {
    checkArgument("size", size, "number");
    checkArgument("peaks", peaks, "array");
    this.#size = size;
    this.#peaks = [...peaks];
  }

  /** The roots of the tree's perfect subtrees, largest first: one for each 1 bit of the size. */
  get peaks(): readonly string[] {
    return this.#peaks;
  }

  get size(): number {
    return this.#size;
  }

  /** @throws {@link TrailError} `invalid-hash` when `recordHash` is not 64 lowercase hex digits. */
  append(recordHash: string): void {
    this.appendLeaf(hashToBytes(recordHash));
  }

  /** Like {@link append}, for a tree over any data. */
  appendLeaf(data: Uint8Array): void {
    let hash = hashLeaf(data);
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) {
      hash = hashNode(this.#peaks.pop() as string, hash);
    }
    this.#peaks.push(hash);
    this.#size++;
  }

  /** Returns the root as 64 lowercase hex digits; for the empty tree, the SHA-256 of zero bytes. */
  rootHash(): string {
    return this.#peaks.length === 0 ? sha256Hex("") : foldPeaks(this.#peaks);
  }
}

/** Returns the root over adjacent perfect subtrees, of which there must be at least one. */
export function foldPeaks(peaks: readonly string[]): string {
  return peaks.reduceRight((right, left) => hashNode(left, right));
}
