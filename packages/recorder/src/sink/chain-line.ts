import { sha256Hex } from "@agentprint/canonical-json";
import { quoted } from "../event/quoted.ts";
import type { SinkThought } from "./sink.ts";
import { QUOTED_UNIT_BYTES, writeQuoted } from "./write-quoted.ts";

/** The maximum number of UTF-8 bytes per UTF-16 unit. */
const MAX_UNIT_BYTES = 3;
const MIN_MEMORY = 64 * 1024;
/** If a batch takes more memory than this, the memory is freed. */
const MAX_KEPT_MEMORY = 4 * 2 ** 20;
const CONTENT_LENGTH = ',"content":'.length;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const LINE_FEED = 0x0a;
/** The length of the member that holds a hash, in UTF-16 units. */
const HASH_LENGTH = ',"hash":""'.length + 64;

/**
 * Writes records as JSON Lines into reused memory. Needed for the bench bar "recorder/record": a record's bytes are
 * written only once, in the line, and hashed there before the members that the hash does not cover are inserted.
 * `test/chain-line.test.ts` compares the result with `computeHash` and `formatThoughtLine`.
 */
export class ChainLines {
  #lines: Buffer = Buffer.alloc(0);
  #length = 0;

  /** The lines; the bytes are valid until the next line is written. */
  get bytes(): Uint8Array {
    return this.#lines.subarray(0, this.#length);
  }

  /** Starts again. */
  clear(): void {
    this.#length = 0;
    if (this.#lines.length > MAX_KEPT_MEMORY) this.#lines = Buffer.alloc(0);
  }

  /** Writes the record that follows the one with the hash `previous`, and returns its hash. */
  add({ id, task_id, agent_id, timestamp, type, content }: SinkThought, previous: string): string {
    const start = `{"agent_id":${quoted(agent_id)},"content":`;
    const place = `,"id":${quoted(id)},"prev_hash":"${previous}","task_id":${quoted(task_id)}`;
    const rest = `${place},"timestamp":${quoted(timestamp)},"type":${quoted(type)}}`;
    const units = start.length + rest.length;
    const room = MAX_UNIT_BYTES * units + QUOTED_UNIT_BYTES * (content.length + 1) + HASH_LENGTH + 1;
    const lines = this.#reserve(room);
    const named = this.#length + lines.write(start, this.#length);
    // The hash covers an object that begins with the content; at that place, the line has the comma after the agent.
    const first = named - CONTENT_LENGTH;
    const middle = writeQuoted(lines, content, named);
    const end = middle + lines.write(rest, middle);
    lines[first] = OPEN_OBJECT;
    const hash = sha256Hex(lines.subarray(first, end));
    lines[first] = COMMA;
    lines.copyWithin(middle + HASH_LENGTH, middle, end);
    lines.write(`,"hash":"${hash}"`, middle, "latin1");
    lines[end + HASH_LENGTH] = LINE_FEED;
    this.#length = end + HASH_LENGTH + 1;
    return hash;
  }

  /** Returns the memory, with room for this many bytes after the lines. */
  #reserve(bytes: number): Buffer {
    const needed = this.#length + bytes;
    if (needed <= this.#lines.length) return this.#lines;
    const grown = Buffer.allocUnsafeSlow(Math.max(MIN_MEMORY, 2 * needed));
    this.#lines.copy(grown, 0, 0, this.#length);
    this.#lines = grown;
    return grown;
  }
}
