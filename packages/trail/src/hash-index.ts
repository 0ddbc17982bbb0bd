import { FingerprintTable } from "./fingerprint-table.ts";
import { hexNumber } from "./hex.ts";

const LEAF = 1;
const ANCHORED = 2;

/** A record that others may follow. */
export interface Parent {
  readonly entry: number;
  readonly index: number;
  /** Whether no record follows it yet. */
  readonly leaf: boolean;
  /** Whether whole links connect it to the genesis record. */
  readonly anchored: boolean;
}

/**
 * The records of a chain by hash: the first 64 bits of each, with its index, whether it is a leaf and whether it is
 * anchored. It is asked only where a link does not go to the record before, so that two hashes that share 64 bits
 * could mislabel a problem but never hide one.
 */
export class HashIndex {
  readonly #table = new FingerprintTable(2);
  readonly #key: [number, number] = [0, 0];

  find(hash: string): Parent | undefined {
    const entry = this.#table.find(this.#keyOf(hash));
    if (entry < 0) return undefined;
    const value = this.#table.value(entry);
    return { entry, index: value >>> 2, leaf: (value & LEAF) !== 0, anchored: (value & ANCHORED) !== 0 };
  }

  /** Adds a record that is no leaf and returns its entry. */
  add(hash: string, index: number, anchored: boolean): number {
    return this.#table.add(this.#keyOf(hash), index * 4 + (anchored ? ANCHORED : 0));
  }

  setLeaf(entry: number, leaf: boolean): void {
    const value = this.#table.value(entry);
    this.#table.setValue(entry, leaf ? value | LEAF : value & ~LEAF);
  }

  setAnchored(entry: number): void {
    this.#table.setValue(entry, this.#table.value(entry) | ANCHORED);
  }

  #keyOf(hash: string): [number, number] {
    this.#key[0] = hexNumber(hash, 0, 8);
    this.#key[1] = hexNumber(hash, 8, 8);
    return this.#key;
  }
}
