import { allocate } from "#platform";
import { ESCAPE_ROOM, writeCodePoint } from "./escape-sequence.ts";
import { END, FIELDS, START } from "./member-order.ts";

const COMMA = 0x2c;
const CAPACITY = 0x1_0000;
/** The size, in bytes, up to which a grown buffer is kept for the next text. */
const MAX_KEPT_CAPACITY = 0x20_0000;
/** Up to this many bytes, a loop copies faster than a method call. */
const MAX_LOOP = 64;

/** Bytes and a view of the same memory. */
class Memory {
  readonly bytes: Uint8Array;
  readonly view: DataView;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array) {
    // The `subarray` method of Node's `Buffer` is slower.
    this.bytes = new Uint8Array(buffer, byteOffset, byteLength);
    this.view = new DataView(buffer, byteOffset, byteLength);
  }
}

const NOTHING = /* @__PURE__ */ new Memory(/* @__PURE__ */ new Uint8Array());

/** Canonical text that consists of runs of its source and of text that replaces other bytes. */
export class RunOutput {
  source: Memory = NOTHING;
  /** The start of the run that has been read but not copied yet. */
  #run = 0;
  #out: Memory = new Memory(allocate(CAPACITY));
  #length = 0;
  /** Holds an object's members while they are put in order. */
  #scratch: Memory = NOTHING;

  start(source: Uint8Array): void {
    this.source = new Memory(source);
  }

  /** Releases the source and memory that only a large text needed. */
  reset(): void {
    this.source = NOTHING;
    this.#run = 0;
    this.#length = 0;
    if (this.#out.bytes.length > MAX_KEPT_CAPACITY) this.#out = new Memory(allocate(CAPACITY));
    if (this.#scratch.bytes.length > MAX_KEPT_CAPACITY) this.#scratch = NOTHING;
  }

  /** Returns the complete text; `undefined` if all of it is one run, which is the source. */
  finish(): Uint8Array | undefined {
    if (this.#run === 0 && this.#length === 0) return undefined;
    this.endRun(this.source.bytes.length);
    return this.#out.bytes.subarray(0, this.#length);
  }

  /**
   * Returns the first `length` bytes, which end with the text before `at` in the source. They are a view of the source
   * if everything is one run.
   */
  part(at: number, length: number): Uint8Array {
    if (this.#run === 0 && this.#length === 0) return this.source.bytes.subarray(0, at);
    if (this.#run < at) this.endRun(at);
    return this.#out.bytes.subarray(0, length);
  }

  /** Returns the index in the output at which the byte `at` of the source will be. */
  position(at: number): number {
    return this.#length + at - this.#run;
  }

  /** Copies the run up to a byte of the source. */
  endRun(at: number): void {
    this.#reserve(at - this.#run);
    this.#length = copyBytes(this.source, this.#run, at, this.#out, this.#length);
    this.#run = at;
  }

  /** Starts a run after omitted bytes of the source. */
  startRun(at: number): void {
    this.#run = at;
  }

  /** Writes a code point as in a string. */
  codePoint(code: number): void {
    this.#reserve(ESCAPE_ROOM);
    this.#length = writeCodePoint(this.#out.bytes, this.#length, code);
  }

  /** Writes ASCII text. */
  ascii(text: string): void {
    this.#reserve(text.length);
    const { bytes } = this.#out;
    for (let i = 0; i < text.length; i++) bytes[this.#length++] = text.charCodeAt(i);
  }

  /**
   * Orders the members from `base` on, whose text is already copied. Members that are already in the right place are
   * not moved.
   */
  reorder(members: Int32Array, base: number, order: readonly number[]): void {
    let first = 0;
    while (order[first] === base + first * FIELDS) first++;
    let last = order.length - 1;
    while (order[last] === base + last * FIELDS) last--;
    const start = members[base + first * FIELDS + START] as number;
    const length = (members[base + last * FIELDS + END] as number) - start;
    if (this.#scratch.bytes.length < length) this.#scratch = new Memory(allocate(Math.max(CAPACITY, 2 * length)));
    copyBytes(this.#out, start, start + length, this.#scratch, 0);
    let at = start;
    for (let i = first; i <= last; i++) {
      const index = order[i] as number;
      if (i > first) this.#out.bytes[at++] = COMMA;
      const from = (members[index + START] as number) - start;
      const to = (members[index + END] as number) - start;
      at = copyBytes(this.#scratch, from, to, this.#out, at);
    }
  }

  #reserve(room: number): void {
    const { bytes } = this.#out;
    if (this.#length + room <= bytes.length) return;
    const grown = allocate(Math.max(bytes.length * 2, this.#length + room));
    grown.set(bytes.subarray(0, this.#length));
    this.#out = new Memory(grown);
  }
}

/** Copies the bytes from `from` up to `to` and returns the index after the copy. */
function copyBytes(source: Memory, from: number, to: number, target: Memory, start: number): number {
  if (to - from > MAX_LOOP) {
    target.bytes.set(source.bytes.subarray(from, to), start);
    return start + to - from;
  }
  let at = start;
  let i = from;
  for (; i + 4 <= to; i += 4, at += 4) target.view.setInt32(at, source.view.getInt32(i, true), true);
  while (i < to) target.bytes[at++] = source.bytes[i++] as number;
  return at;
}
