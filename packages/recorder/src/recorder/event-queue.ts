import type { ChainEntry } from "../chain/chain.ts";
import type { Receipt } from "./acknowledgement.ts";

/** The number of bytes that an entry takes in addition to its text. */
const ENTRY_BYTES = 512;
/** The maximum number of records in one write, which takes a few milliseconds without another thread for sealing. */
export const MAX_BATCH = 1024;
const MAX_BATCH_BYTES = 2 * 2 ** 20;

/** An event that waits to be written. */
export interface QueueEntry extends ChainEntry {
  readonly receipt: Receipt;
}

/** The entries in order, with the amount of memory that they use. */
export class EventQueue {
  readonly #maxBytes: number;
  #entries: QueueEntry[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Whether so many entries are waiting that callers should wait too. */
  get isLong(): boolean {
    return this.#bytes > this.#maxBytes / 4;
  }

  /** Whether no more entries fit into one write. */
  get isFullBatch(): boolean {
    return this.#entries.length >= MAX_BATCH || this.#bytes >= MAX_BATCH_BYTES;
  }

  /** Returns whether there is room for this text. */
  hasRoomFor(text: string): boolean {
    return this.#bytes + bytesOf(text) <= this.#maxBytes;
  }

  push(entry: QueueEntry): void {
    this.#entries.push(entry);
    this.#bytes += bytesOf(entry.text);
  }

  /**
   * Returns the first entries, as many as fit into one write, but at most `limit`; they stay in the queue until they
   * are removed.
   */
  batch(limit: number = MAX_BATCH): readonly QueueEntry[] {
    let count = 0;
    for (let bytes = 0; count < Math.min(limit, this.#entries.length); count++) {
      bytes += bytesOf((this.#entries[count] as QueueEntry).text);
      if (bytes > MAX_BATCH_BYTES && count > 0) break;
    }
    return this.#entries.slice(0, count);
  }

  remove(count: number): void {
    for (const { text } of this.#entries.splice(0, count)) this.#bytes -= bytesOf(text);
  }

  /** Removes all entries. */
  drain(): readonly QueueEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    this.#bytes = 0;
    return entries;
  }
}

/** A text may take two bytes per unit. */
function bytesOf(text: string): number {
  return 2 * text.length + ENTRY_BYTES;
}
