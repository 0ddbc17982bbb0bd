const MAX_PROBES = 48;

/**
 * A map from fingerprints of `words` × 32 bits to 32-bit values in two typed arrays: 4·(`words` + 1) bytes an entry,
 * and slots of 4 bytes that are at most half full.
 *
 * Fingerprints may be chosen by an attacker, so that they crowd one place of the table. After {@link MAX_PROBES}
 * steps an entry goes to a native `Map` (whose hashing is keyed): slow and larger, but never quadratic.
 */
export class FingerprintTable {
  readonly #words: number;
  #size = 0;
  #entries: Uint32Array;
  #slots: Uint32Array = new Uint32Array(16);
  readonly #crowded = new Map<string, number>();

  constructor(words: number) {
    this.#words = words;
    this.#entries = new Uint32Array(8 * (words + 1));
  }

  /** The entry of `key`, or -1. */
  find(key: ArrayLike<number>): number {
    const mask = this.#slots.length - 1;
    let slot = home(key) & mask;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const entry = (this.#slots[slot] as number) - 1;
      if (entry < 0 || this.#equals(entry, key)) return entry;
      slot = (slot + 1) & mask;
    }
    return this.#crowded.get(Array.prototype.join.call(key, ":")) ?? -1;
  }

  /** Adds `key`, which must not be there, and returns its entry. */
  add(key: ArrayLike<number>, value: number): number {
    const stride = this.#words + 1;
    if ((this.#size + 1) * stride > this.#entries.length) this.#grow();
    const entry = this.#size++;
    for (let word = 0; word < this.#words; word++) this.#entries[entry * stride + word] = key[word] as number;
    this.#entries[entry * stride + this.#words] = value;
    this.#place(entry, key);
    return entry;
  }

  value(entry: number): number {
    return this.#entries[entry * (this.#words + 1) + this.#words] as number;
  }

  setValue(entry: number, value: number): void {
    this.#entries[entry * (this.#words + 1) + this.#words] = value;
  }

  #equals(entry: number, key: ArrayLike<number>): boolean {
    const start = entry * (this.#words + 1);
    for (let word = 0; word < this.#words; word++) if (this.#entries[start + word] !== key[word]) return false;
    return true;
  }

  #place(entry: number, key: ArrayLike<number>): void {
    const mask = this.#slots.length - 1;
    let slot = home(key) & mask;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      if (this.#slots[slot] === 0) {
        this.#slots[slot] = entry + 1;
        return;
      }
      slot = (slot + 1) & mask;
    }
    this.#crowded.set(Array.prototype.join.call(key, ":"), entry);
  }

  #grow(): void {
    const entries = new Uint32Array(this.#entries.length * 2);
    entries.set(this.#entries);
    this.#entries = entries;
    this.#slots = new Uint32Array(this.#slots.length * 2);
    this.#crowded.clear();
    const stride = this.#words + 1;
    for (let entry = 0; entry < this.#size; entry++) {
      this.#place(entry, entries.subarray(entry * stride, entry * stride + this.#words));
    }
  }
}

function home(key: ArrayLike<number>): number {
  return ((key[0] as number) ^ Math.imul(key[1] as number, 0x9e3779b1)) >>> 0;
}
