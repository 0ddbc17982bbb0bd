import { sha256Hex } from "@agentprint/canonical-json";
import { FingerprintTable } from "./fingerprint-table.ts";
import { hexNumber } from "./hex.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Which ids a chain has used, by index: 128 bits an id. A lowercase UUID is its own 128 bits; any other id is kept as
 * the first half of its SHA-256, in a table of its own so that no id can be made to look like a UUID's.
 */
export class IdIndex {
  readonly #uuids = new FingerprintTable(4);
  readonly #others = new FingerprintTable(4);
  readonly #key = new Uint32Array(4);

  /** The index that used `id` first; -1, and `index` is remembered, where none did. */
  claim(id: string, index: number): number {
    const uuid = UUID.test(id);
    const table = uuid ? this.#uuids : this.#others;
    if (uuid) this.#keyOfUuid(id);
    else this.#keyOfDigest(sha256Hex(id));
    const entry = table.find(this.#key);
    if (entry >= 0) return table.value(entry);
    table.add(this.#key, index);
    return -1;
  }

  #keyOfUuid(id: string): void {
    this.#key[0] = hexNumber(id, 0, 8);
    this.#key[1] = hexNumber(id, 9, 4) * 0x10000 + hexNumber(id, 14, 4);
    this.#key[2] = hexNumber(id, 19, 4) * 0x10000 + hexNumber(id, 24, 4);
    this.#key[3] = hexNumber(id, 28, 8);
  }

  #keyOfDigest(digest: string): void {
    for (let word = 0; word < 4; word++) this.#key[word] = hexNumber(digest, word * 8, 8);
  }
}
