import { sha256Hex } from "@agentprint/canonical-json";
import { FingerprintTable } from "./fingerprint-table.ts";
import { hexNumber } from "./hex.ts";

const NO_DIGIT = 0x80;
const DIGITS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const digit = "0123456789abcdef".indexOf(String.fromCharCode(unit));
  return digit < 0 ? NO_DIGIT : digit;
});
// Where the 32 digits of a UUID are.
const UUID_DIGITS = Uint8Array.from([...Array(36).keys()].filter((index) => ![8, 13, 18, 23].includes(index)));

/**
 * Which ids a chain has used, by index: 128 bits an id. A lowercase UUID and an id of at most 16 Latin-1 characters
 * are kept as they are, any other as the first half of its SHA-256; each kind in a table of its own, so that no id can
 * be made to look like one of another kind.
 */
export class IdIndex {
  readonly #uuids = new FingerprintTable(4);
  readonly #short = new FingerprintTable(4);
  readonly #digests = new FingerprintTable(4);
  readonly #key = new Uint32Array(4);

  /** The index that used `id` first; -1, and `index` is remembered, where none did. */
  claim(id: string, index: number): number {
    return this.#tableOf(id).claim(this.#key, index);
  }

  /** Fills in the key of `id`. */
  #tableOf(id: string): FingerprintTable {
    if (id.length === 36 && this.#readUuid(id)) return this.#uuids;
    if (id.length <= 16 && this.#readShort(id)) return this.#short;
    const digest = sha256Hex(id);
    for (let word = 0; word < 4; word++) this.#key[word] = hexNumber(digest, word * 8, 8);
    return this.#digests;
  }

  #readUuid(id: string): boolean {
    let bad = (id.charCodeAt(8) ^ 45) | (id.charCodeAt(13) ^ 45) | (id.charCodeAt(18) ^ 45) | (id.charCodeAt(23) ^ 45);
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
        // Zero stands for the end, which no character may look like.
        const unit = i < id.length ? id.charCodeAt(i) || 0x100 : 0;
        bad |= unit & 0xff00;
        bits = (bits << 8) | unit;
      }
      this.#key[word] = bits;
    }
    return bad === 0;
  }
}
