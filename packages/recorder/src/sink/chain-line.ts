import { sha256Hex } from "@agentprint/canonical-json";
import { quoted } from "../event/quoted.ts";
import type { SinkThought } from "./sink.ts";
import { QUOTED_UNIT_BYTES, writeQuoted } from "./write-quoted.ts";

/** Bytes of UTF-8 that one UTF-16 unit takes at most. */
const MAX_UNIT_BYTES = 3;
const MIN_MEMORY = 64 * 1024;
/** Frees the memory of a longer batch. */
const MAX_KEPT_MEMORY = 4 * 2 ** 20;
const CONTENT = '{"content":';

/**
 * Writes records as lines of JSON Lines text into memory that is used again. Serves the bench bar "recorder/record": the bytes of a
 * record are written once, and hashed and copied from there. `test/chain-line.test.ts` compares it with `computeHash` and
 * `formatThoughtLine`.
 */
export class ChainLines {
  #lines: Buffer = Buffer.alloc(0);
  #length = 0;
  /** The text that the hash of one record covers. */
  #covered: Buffer = Buffer.alloc(0);

  /** The lines, until the next one is written. */
  get bytes(): Uint8Array {
    return this.#lines.subarray(0, this.#length);
  }

  /** Starts again. */
  clear(): void {
    this.#length = 0;
    if (this.#lines.length > MAX_KEPT_MEMORY) this.#lines = Buffer.alloc(0);
    if (this.#covered.length > MAX_KEPT_MEMORY) this.#covered = Buffer.alloc(0);
  }

  /** Writes the record after the one with the hash `previous`; returns its hash. */
  add({ id, task_id, agent_id, timestamp, type, content }: SinkThought, previous: string): string {
    const place = `,"id":${quoted(id)},"prev_hash":"${previous}","task_id":${quoted(task_id)}`;
    const rest = `${place},"timestamp":${quoted(timestamp)},"type":${quoted(type)}}`;
    const room = CONTENT.length + QUOTED_UNIT_BYTES * (content.length + 1) + MAX_UNIT_BYTES * rest.length;
    if (this.#covered.length < room) this.#covered = Buffer.allocUnsafeSlow(Math.max(MIN_MEMORY, room));
    const covered = this.#covered;
    const middle = writeQuoted(covered, content, covered.write(CONTENT, 0));
    const end = middle + covered.write(rest, middle);
    const hash = sha256Hex(covered.subarray(0, end));
    const author = `{"agent_id":${quoted(agent_id)},`;
    this.#reserve(MAX_UNIT_BYTES * author.length + end + 128);
    this.#write(author);
    this.#copy(1, middle);
    this.#write(`,"hash":"${hash}"`);
    this.#copy(middle, end);
    this.#write("\n");
    return hash;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#lines.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(MIN_MEMORY, 2 * needed));
    this.#lines.copy(grown, 0, 0, this.#length);
    this.#lines = grown;
  }

  #write(text: string): void {
    this.#length += this.#lines.write(text, this.#length);
  }

  #copy(start: number, end: number): void {
    this.#length += this.#covered.copy(this.#lines, this.#length, start, end);
  }
}
