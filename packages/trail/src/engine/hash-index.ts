import { hexNumber } from "../hex.ts";
import { FingerprintTable } from "./fingerprint-table.ts";

const LEAF = 1;
const ANCHORED = 2;
/** The value for a hash that a record follows but no known record has. */
const EXPECTED = 0;

/** An indexed hash. Records with the same hash share it. */
export interface KnownHash {
  /** Identifies the hash in later calls. */
  readonly entry: number;
  /** Index of the first record that is known by the hash. */
  readonly index: number;
  /** Whether no record follows the hash yet. */
  readonly leaf: boolean;
  /** Whether intact links connect a record with this hash to the genesis record. */
  readonly anchored: boolean;
}

/**
 * The first 64 bits of each hash of a chain, with one number that holds the index of its record, whether it is a leaf
 * and whether it is anchored.
 */
export class HashIndex {
  readonly #table = new FingerprintTable(2);
  readonly #key: [number, number] = [0, 0];

  /** Number of entries, which is also the next entry. */
  get size(): number {
    return this.#table.size;
  }

  find(hash: string): KnownHash | undefined {
    const entry = this.#table.find(this.#keyOf(hash));
    return entry < 0 || this.#table.value(entry) === EXPECTED ? undefined : this.#read(entry);
  }

  /** Adds the hash, not yet in the index, of an anchored record that is not a leaf. */
  add(hash: string, index: number): void {
    this.#table.add(this.#keyOf(hash), valueAt(index) + ANCHORED);
  }

  getOrInsert(hash: string, index: number, anchored: boolean): KnownHash {
    const key = this.#keyOf(hash);
    const known = this.#table.find(key);
    const entry = known < 0 ? this.#table.add(key, valueAt(index) + LEAF) : known;
    if (this.#table.value(entry) === EXPECTED) this.#table.setValue(entry, valueAt(index));
    if (anchored) this.setAnchored(entry);
    return this.#read(entry);
  }

  expect(hash: string): void {
    const key = this.#keyOf(hash);
    if (this.#table.find(key) < 0) this.#table.add(key, EXPECTED);
  }

  setLeaf(entry: number, leaf: boolean): void {
    const value = this.#table.value(entry);
    this.#table.setValue(entry, leaf ? value | LEAF : value & ~LEAF);
  }

  setAnchored(entry: number): void {
    this.#table.setValue(entry, this.#table.value(entry) | ANCHORED);
  }

  #read(entry: number): KnownHash {
    const value = this.#table.value(entry);
    return { entry, index: (value >>> 2) - 1, leaf: (value & LEAF) !== 0, anchored: (value & ANCHORED) !== 0 };
  }

  #keyOf(hash: string): [number, number] {
    this.#key[0] = hexNumber(hash, 0, 8);
    this.#key[1] = hexNumber(hash, 8, 8);
    return this.#key;
  }
}

/** Returns what the index holds for the hash of a record that is not a leaf; it is never {@link EXPECTED}. */
function valueAt(index: number): number {
  return (index + 1) * 4;
}
