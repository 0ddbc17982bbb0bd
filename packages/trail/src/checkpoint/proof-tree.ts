import { checkArgument } from "../check-argument.ts";
import { TrailError } from "../errors.ts";
import { hashToBytes } from "../hex.ts";
import { hashLeaf, hashNode } from "./merkle.ts";
import type { InclusionProof } from "./proofs.ts";

/**
 * The complete RFC 6962 tree over some records, for callers that prove many of them. The time for a proof grows with
 * the logarithm of the number of records, and memory grows with that number.
 *
 * @example
 * ```ts
 * import { ProofTree, verifyInclusionProof } from "@agentprint/trail/checkpoint";
 *
 * const hashes = records.slice(0, checkpoint.size).map(({ hash }) => hash);
 * const proof = new ProofTree(hashes).proofOf(2);
 * console.log(verifyInclusionProof(proof, String(hashes[2]), checkpoint)); // true
 * ```
 */
export class ProofTree {
  /** The levels from the leaves to the root; a node without a sibling is also in the next level. */
  readonly #levels: (readonly string[])[];
  /** The number of records. */
  readonly size: number;

  /**
   * @param hashes - the hashes of all records, in chain order
   * @throws {@link TrailError} `invalid-hash` when one of the hashes is not 64 lowercase hex digits.
   */
  constructor(hashes: readonly string[]) {
    checkArgument("hashes", hashes, "array");
    this.size = hashes.length;
    this.#levels = [];
    let level: readonly string[] = hashes.map((hash) => hashLeaf(hashToBytes(hash)));
    while (level.length > 1) {
      this.#levels.push(level);
      level = parentsOf(level);
    }
  }

  /**
   * Returns the proof that record `index` is among the records.
   *
   * @throws {@link TrailError} `invalid-index` unless 0 ≤ `index` < `size`.
   */
  proofOf(index: number): InclusionProof {
    if (!Number.isSafeInteger(index) || index < 0 || index >= this.size) {
      throw new TrailError("invalid-index", `${index} of ${this.size} records is not a place in a chain`);
    }
    const path = this.#levels.map((level, height) => {
      const position = Math.floor(index / 2 ** height);
      return level[position % 2 === 0 ? position + 1 : position - 1];
    });
    return { index, size: this.size, hashes: path.filter((hash) => hash !== undefined) };
  }
}

function parentsOf(level: readonly string[]): string[] {
  return Array.from({ length: Math.ceil(level.length / 2) }, (_, index) => {
    const [left = "", right] = level.slice(2 * index, 2 * index + 2);
    return right === undefined ? left : hashNode(left, right);
  });
}
