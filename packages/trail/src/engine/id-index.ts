import { sha256Hex } from "@agentprint/canonical-json";
import { hexNumber } from "../hex.ts";
import { doGrow, FingerprintTable, type TableEntries } from "./fingerprint-table.ts";

const HYPHEN = 0x2d;
const NO_DIGIT = 0x80;
/** Replaces U+0000 in short ids, because 0 stands for the end of the id. */
const NUL = 0x100;
const DIGITS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const digit = "0123456789abcdef".indexOf(String.fromCharCode(unit));
  return digit < 0 ? NO_DIGIT : digit;
});
// Offsets of the 32 digits of a UUID.
const UUID_DIGITS = Uint8Array.from([...Array(36).keys()].filter((index) => ![8, 13, 18, 23].includes(index)));

/** Ids of a chain as plain data: one table for each kind. */
export type IdEntries = readonly (TableEntries | undefined)[];

/** Returns whether no id is in more than one of these parts. */
export function haveDifferentIds(parts: readonly IdEntries[]): boolean {
  if (parts.length < 2) return true;
  return [0, 1, 2].every((kind) => {
    const tables = parts.flatMap((part) => part[kind] ?? []);
    const all = new FingerprintTable(4);
    return doGrow(tables) || tables.every((table) => all.enterAll(table));
  });
}

/**
 * Finds the index of the record that used an id first, with 128 bits per id. A lowercase UUID and an id of at most 16
 * Latin-1 characters are kept unchanged, any other id as the first half of its SHA-256. Each of the three kinds has its
 * own table, so that no id can be made to look like an id of another kind.
 */
export class IdIndex {
  // Most chains have ids of one kind.
  #uuids: FingerprintTable | undefined;
  #short: FingerprintTable | undefined;
  #digests: FingerprintTable | undefined;
  readonly #key = new Uint32Array(4);

  get entries(): IdEntries {
    return [this.#uuids?.entries, this.#short?.entries, this.#digests?.entries];
  }

  /** Returns the index of the record that used `id` first. If none did, enters `id` with `index` and returns -1. */
  getOrInsert(id: string, index: number): number {
    return this.#tableOf(id).getOrInsert(this.#key, index);
  }

  /** Puts the key of `id` into `#key`, and returns the table for ids of its kind. */
  #tableOf(id: string): FingerprintTable {
    if (id.length === 36 && this.#readUuid(id)) {
      this.#uuids ??= new FingerprintTable(4);
      return this.#uuids;
    }
    if (id.length <= 16 && this.#readShort(id)) {
      this.#short ??= new FingerprintTable(4);
      return this.#short;
    }
    const digest = sha256Hex(id);
    for (let word = 0; word < 4; word++) this.#key[word] = hexNumber(digest, word * 8, 8);
    this.#digests ??= new FingerprintTable(4);
    return this.#digests;
  }

  #readUuid(id: string): boolean {
    let bad =
      (id.charCodeAt(8) ^ HYPHEN) |
      (id.charCodeAt(13) ^ HYPHEN) |
      (id.charCodeAt(18) ^ HYPHEN) |
      (id.charCodeAt(23) ^ HYPHEN);
    for (let word = 0; word < 4; word++) {
      let bits = 0;
      for (let i = word * 8; i < word * 8 + 8; i++) {
        const digit = DIGITS[id.charCodeAt(UUID_DIGITS[i] as number)] ?? NO_DIGIT;
        bad |= digit & NO_DIGIT;
        bits = (bits << 4) | digit;
      }
      this.#key[word] = bits;
    }
    return bad === 0;
  }

  #readShort(id: string): boolean {
    let bad = 0;
    for (let word = 0; word < 4; word++) {
      let bits = 0;
      for (let i = word * 4; i < word * 4 + 4; i++) {
        const unit = i < id.length ? id.charCodeAt(i) || NUL : 0;
        bad |= unit & 0xff00;
        bits = (bits << 8) | unit;
      }
      this.#key[word] = bits;
    }
    return bad === 0;
  }
}
