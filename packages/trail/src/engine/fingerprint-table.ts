/** The maximum number of slots that are probed for one key. */
const MAX_PROBES = 48;
const CHUNK_BITS = 15;
/** Entries of one chunk. */
const CHUNK = 2 ** CHUNK_BITS;
const SLOTS_AT_FIRST = 16;
/** A free slot that all tables without their own slots share, because many tables never get an entry. */
const NO_SLOTS = /* @__PURE__ */ new Uint32Array(1);

/** The entries of a table as plain data. */
export interface TableEntries {
  readonly size: number;
  readonly chunks: readonly Uint32Array<ArrayBuffer>[];
  /** Whether each key is larger than the previous one. */
  readonly isGrowing: boolean;
  readonly largest: Uint32Array;
}

/** Returns whether the keys only grow from table to table, so that no key occurs twice. */
export function doGrow(tables: readonly TableEntries[]): boolean {
  return tables.every(({ isGrowing, chunks }, index) => {
    const before = tables[index - 1];
    return isGrowing && (before === undefined || isLarger(chunks[0] as Uint32Array, before.largest));
  });
}

/** Returns whether a key is larger than `other`, which has the same number of words. */
function isLarger(key: ArrayLike<number>, other: Uint32Array): boolean {
  let word = 0;
  while (word < other.length - 1 && key[word] === other[word]) word++;
  return (key[word] as number) > (other[word] as number);
}

/**
 * A map from keys of `words` × 32 bits to values of 32 bits, in typed arrays: 4·(`words` + 1) bytes per entry, and
 * slots of 4 bytes, at most half of which are used. The README of this folder has a drawing.
 *
 * An attacker may choose keys whose probes all begin at one slot. After {@link MAX_PROBES} slots an entry goes to a
 * native `Map`, whose hashing is keyed. The `Map` is slower and larger, but the time for a chain is never quadratic.
 */
export class FingerprintTable {
  readonly #words: number;
  #size = 0;
  // Entries from this one on have no slot yet: until a key is looked up, adding an entry only appends to a list.
  #placed = 0;
  // Entries are in chunks, so that growing copies nothing, except that the first chunk begins small and is copied.
  readonly #chunks: Uint32Array<ArrayBuffer>[] = [];
  #slots: Uint32Array = NO_SLOTS;
  #crowded: Map<string, number> | undefined;
  readonly #largest: Uint32Array;

  constructor(words: number) {
    this.#words = words;
    this.#largest = new Uint32Array(words);
  }

  /** The entries as plain data, for another table's {@link enterAll}. */
  get entries(): TableEntries {
    return { size: this.#size, chunks: this.#chunks, isGrowing: this.#slots === NO_SLOTS, largest: this.#largest };
  }

  /** Enters the keys of another table with the same number of words; returns whether all of them were new. */
  enterAll({ size, chunks }: TableEntries): boolean {
    for (let entry = 0; entry < size; entry++) {
      const chunk = chunks[entry >>> CHUNK_BITS] as Uint32Array;
      const start = this.#startOf(entry);
      if (this.getOrInsert(chunk.subarray(start, start + this.#words), entry) >= 0) return false;
    }
    return true;
  }

  /** Number of entries; the next entry has this number. */
  get size(): number {
    return this.#size;
  }

  /** Returns the first entry with `key`; -1 if there is none. */
  find(key: ArrayLike<number>): number {
    this.#placeAll(0);
    const mask = this.#slots.length - 1;
    let slot = this.#home(key, 0);
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const entry = (this.#slots[slot] as number) - 1;
      if (entry < 0 || this.#equals(entry, key)) return entry;
      slot = (slot + 1) & mask;
    }
    return this.#crowded?.get(Array.prototype.join.call(key, ":")) ?? -1;
  }

  /** Returns the value of the first entry with `key`. If there is none, adds one with `value` and returns -1. */
  getOrInsert(key: ArrayLike<number>, value: number): number {
    if (this.#isLargest(key)) {
      this.add(key, value);
      return -1;
    }
    this.#placeAll(1);
    const mask = this.#slots.length - 1;
    let slot = this.#home(key, 0);
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const entry = (this.#slots[slot] as number) - 1;
      if (entry < 0) {
        this.#slots[slot] = this.add(key, value) + 1;
        this.#placed = this.#size;
        return -1;
      }
      if (this.#equals(entry, key)) return this.value(entry);
      slot = (slot + 1) & mask;
    }
    const entry = this.find(key);
    if (entry >= 0) return this.value(entry);
    this.add(key, value);
    return -1;
  }

  /** Adds an entry, even if `key` already has one, and returns its number. */
  add(key: ArrayLike<number>, value: number): number {
    const entry = this.#size++;
    const chunk = this.#chunkFor(entry);
    const start = this.#startOf(entry);
    for (let word = 0; word < this.#words; word++) chunk[start + word] = key[word] as number;
    chunk[start + this.#words] = value;
    if (this.#isLargest(key)) for (let word = 0; word < this.#words; word++) this.#largest[word] = key[word] as number;
    return entry;
  }

  value(entry: number): number {
    return this.#chunkOf(entry)[this.#startOf(entry) + this.#words] as number;
  }

  setValue(entry: number, value: number): void {
    this.#chunkOf(entry)[this.#startOf(entry) + this.#words] = value;
  }

  #chunkOf(entry: number): Uint32Array {
    return this.#chunks[entry >>> CHUNK_BITS] as Uint32Array;
  }

  #startOf(entry: number): number {
    return (entry & (CHUNK - 1)) * (this.#words + 1);
  }

  #chunkFor(entry: number): Uint32Array {
    const number = entry >>> CHUNK_BITS;
    const chunk = this.#chunks[number];
    if (chunk && this.#startOf(entry) < chunk.length) return chunk;
    const length = number > 0 ? CHUNK * (this.#words + 1) : Math.max(8 * (this.#words + 1), (chunk?.length ?? 0) * 2);
    const larger = new Uint32Array(length);
    if (chunk) larger.set(chunk);
    this.#chunks[number] = larger;
    return larger;
  }

  #equals(entry: number, key: ArrayLike<number>): boolean {
    const chunk = this.#chunkOf(entry);
    const start = this.#startOf(entry);
    for (let word = 0; word < this.#words; word++) if (chunk[start + word] !== key[word]) return false;
    return true;
  }

  /**
   * Returns whether `key` is larger than every key so far, and therefore new. Ids that only grow are never looked up.
   */
  #isLargest(key: ArrayLike<number>): boolean {
    return isLarger(key, this.#largest);
  }

  /** Gives every entry a slot, and makes room for the slots of `more` entries. */
  #placeAll(more: number): void {
    const wanted = (this.#size + more) * 2;
    if (wanted > this.#slots.length) {
      let slots = Math.max(this.#slots.length, SLOTS_AT_FIRST);
      while (wanted > slots) slots *= 2;
      this.#slots = new Uint32Array(slots);
      this.#crowded = undefined;
      this.#placed = 0;
    }
    while (this.#placed < this.#size) this.#place(this.#placed++);
  }

  #place(entry: number): void {
    const chunk = this.#chunkOf(entry);
    const start = this.#startOf(entry);
    const mask = this.#slots.length - 1;
    let slot = this.#home(chunk, start);
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      if (this.#slots[slot] === 0) {
        this.#slots[slot] = entry + 1;
        return;
      }
      slot = (slot + 1) & mask;
    }
    const key = chunk.subarray(start, start + this.#words).join(":");
    this.#crowded ??= new Map();
    if (!this.#crowded.has(key)) this.#crowded.set(key, entry);
  }

  /**
   * Returns the slot where the probes for a key begin. All words are mixed, because ids often differ in only one word.
   */
  #home(words: ArrayLike<number>, start: number): number {
    let mixed = 0;
    for (let word = start; word < start + this.#words; word++) {
      mixed = Math.imul(mixed ^ (words[word] as number), 0x9e3779b1);
      mixed ^= mixed >>> 15;
    }
    return mixed & (this.#slots.length - 1);
  }
}
