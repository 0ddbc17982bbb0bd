import { sha256Hex } from "@agentprint/canonical-json";
import { concatBytes } from "./bytes.ts";
import { hashToBytes, writeHex } from "./hex.ts";

const EMPTY_ROOT = sha256Hex("");
const LEAF_PREFIX = Uint8Array.of(0);
const node = new Uint8Array(65);
node[0] = 1;
/** RFC 6962 §2.1: SHA-256 of 0x01, `left`, `right`; hex in, hex out. */
export function hashNode(left: string, right: string): string {
  writeHex(left, node, 1);
  writeHex(right, node, 33);
  return sha256Hex(node);
}

/** RFC 6962 §2.1: SHA-256 of 0x00 and `data`. */
export function hashLeaf(data: Uint8Array): string {
  return sha256Hex(concatBytes(LEAF_PREFIX, data));
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
  #size = 0;
  // Roots of the perfect subtrees that the size's binary digits name, largest first.
  readonly #peaks: string[] = [];

  get size(): number {
    return this.#size;
  }

  /** @throws `TrailError` `invalid-hash` where `recordHash` is not 64 lowercase hex digits. */
  append(recordHash: string): void {
    this.appendLeaf(hashToBytes(recordHash));
  }

  /** As {@link append}, for a tree over any data. */
  appendLeaf(data: Uint8Array): void {
    let hash = hashLeaf(data);
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) {
      hash = hashNode(this.#peaks.pop() as string, hash);
    }
    this.#peaks.push(hash);
    this.#size++;
  }

  /** 64 lowercase hex digits; of the empty tree, SHA-256 of nothing. */
  rootHash(): string {
    return this.#peaks.length === 0 ? EMPTY_ROOT : this.#peaks.reduceRight((right, left) => hashNode(left, right));
  }
}
