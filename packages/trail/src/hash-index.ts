import { FingerprintTable } from "./fingerprint-table.ts";
import { hexNumber } from "./hex.ts";

const LEAF = 1;
const ANCHORED = 2;
/** The value of a hash that has not come. */
const EXPECTED = 0;
/** Fingerprints are taken of so many hashes at a time: in a tight loop each takes half the time. */
const BATCH = 16;

/** What others may follow: whatever carries one hash. */
export interface Parent {
  readonly entry: number;
  /** Of the first that came. */
  readonly index: number;
  /** Whether no record follows it yet. */
  readonly leaf: boolean;
  /** Whether whole links connect one of them to the genesis record. */
  readonly anchored: boolean;
}

/**
 * The hashes of a chain: the first 64 bits of each, with the index of its record, whether it is a leaf and whether it is
 * anchored. It is asked only behind a problem, and where a link does not go to the record before, so that two hashes that
 * share 64 bits could mislabel a problem but never hide one.
 */
export class HashIndex {
  readonly #table = new FingerprintTable(2);
  readonly #key: [number, number] = [0, 0];
  readonly #waiting: string[] = [];
  readonly #waitingValues: number[] = [];
  #size = 0;

  find(hash: string): Parent | undefined {
    const entry = this.#find(hash);
    return entry < 0 || this.#table.value(entry) === EXPECTED ? undefined : this.#parent(entry);
  }

  /** Adds a hash that is not there yet, of an anchored record that is no leaf, and returns its entry. */
  add(hash: string, index: number): number {
    if (this.#waiting.length === BATCH) this.#settle();
    this.#waiting.push(hash);
    this.#waitingValues.push(cameAt(index) + ANCHORED);
    return this.#size++;
  }

  /** Enters one more record that carries a hash. It is a leaf where nothing has followed the hash. */
  claim(hash: string, index: number, anchored: boolean): Parent {
    const known = this.#find(hash);
    const entry = known < 0 ? this.#insert(hash, cameAt(index) + LEAF) : known;
    if (this.#table.value(entry) === EXPECTED) this.#table.setValue(entry, cameAt(index));
    if (anchored) this.setAnchored(entry);
    return this.#parent(entry);
  }

  /** Enters a hash that was followed and has not come. */
  expect(hash: string): void {
    if (this.#find(hash) < 0) this.#insert(hash, EXPECTED);
  }

  setLeaf(entry: number, leaf: boolean): void {
    this.#settle();
    const value = this.#table.value(entry);
    this.#table.setValue(entry, leaf ? value | LEAF : value & ~LEAF);
  }

  setAnchored(entry: number): void {
    this.#settle();
    this.#table.setValue(entry, this.#table.value(entry) | ANCHORED);
  }

  #find(hash: string): number {
    this.#settle();
    return this.#table.find(this.#keyOf(hash));
  }

  #parent(entry: number): Parent {
    const value = this.#table.value(entry);
    return { entry, index: (value >>> 2) - 1, leaf: (value & LEAF) !== 0, anchored: (value & ANCHORED) !== 0 };
  }

  #insert(hash: string, value: number): number {
    this.#size++;
    return this.#table.add(this.#keyOf(hash), value);
  }

  #settle(): void {
    const { length } = this.#waiting;
    for (let i = 0; i < length; i++) {
      this.#table.add(this.#keyOf(this.#waiting[i] as string), this.#waitingValues[i] as number);
    }
    this.#waiting.length = 0;
    this.#waitingValues.length = 0;
  }

  #keyOf(hash: string): [number, number] {
    this.#key[0] = hexNumber(hash, 0, 8);
    this.#key[1] = hexNumber(hash, 8, 8);
    return this.#key;
  }
}

/** The value of a hash of no leaf that came; never {@link EXPECTED}. */
function cameAt(index: number): number {
  return (index + 1) * 4;
}
