import { allocate, fromUtf8 } from "#platform";
import type { TextPosition } from "../errors.ts";
import { TEXT_START } from "../parse/text-position.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_LEAD = 0xc0;
const HIGHEST_ASCII = 0x7f;
const MAX_CHARACTER = 4;
const GROWTH = 4;

/**
 * The available bytes of a text from a certain position on. The window's state depends on the text alone, not on how it
 * is split into pieces.
 */
export class TextWindow {
  /** The number of bytes that it holds unless a large value has made it grow. */
  readonly minBytes: number;
  /** The maximum number of bytes that it holds. */
  readonly maxBytes: number;
  #memory: Uint8Array;
  #length = 0;
  /** The number of bytes in the text before the window. */
  #before = 0;
  /** The place of the byte at the index `#placed`. */
  #place: TextPosition = TEXT_START;
  #placed = 0;
  #isAfterReturn = false;

  /** @param minBytes At least 48, because a part of a string must be longer than an escape sequence. */
  constructor(minBytes: number, maxBytes: number) {
    this.minBytes = minBytes;
    this.maxBytes = Math.max(minBytes, maxBytes);
    this.#memory = allocate(minBytes);
  }

  get isFull(): boolean {
    return this.#length === this.#memory.length;
  }

  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  /** The bytes, without the last character if it may be incomplete. */
  get wholeCharacters(): Uint8Array {
    const length = this.#length;
    for (let at = length - 1; at >= 0 && at >= length - MAX_CHARACTER; at--) {
      const byte = this.#memory[at] as number;
      if (byte >= FIRST_LEAD) return this.#memory.subarray(0, at);
      if (byte <= HIGHEST_ASCII) break;
    }
    return this.bytes;
  }

  /** Takes as many bytes as fit and returns the others. */
  fill(piece: Uint8Array): Uint8Array {
    const taken = piece.subarray(0, this.#memory.length - this.#length);
    this.#memory.set(taken, this.#length);
    this.#length += taken.length;
    return piece.subarray(taken.length);
  }

  /** Drops bytes at the start. If the window stays full, it grows, up to its limit. */
  drop(count: number): void {
    this.placeAt(count);
    const rest = this.#memory.subarray(count, this.#length);
    const size = this.#sizeFor(rest.length);
    if (size === this.#memory.length) this.#memory.copyWithin(0, count, this.#length);
    else {
      this.#memory = allocate(size);
      this.#memory.set(rest);
    }
    this.#length = rest.length;
    this.#before += count;
    this.#placed -= count;
  }

  #sizeFor(length: number): number {
    if (length < this.minBytes / 2) return this.minBytes;
    const size = this.#memory.length;
    return length === size ? Math.min(size * GROWTH, this.maxBytes) : size;
  }

  /** Returns the number of bytes in the text before an index. */
  bytesBefore(at: number): number {
    return this.#before + at;
  }

  /** Returns the place of the byte at an index, which is not lower than in the previous call. */
  placeAt(at: number): TextPosition {
    const bytes = this.#memory.subarray(this.#placed, at);
    if (bytes.length === 0) return this.#place;
    const { line, column, offset } = this.#place;
    const units = fromUtf8(bytes).length;
    const last = Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN));
    const breaks = last < 0 ? 0 : countBreaks(bytes, last) - Number(this.#isAfterReturn && bytes[0] === LINE_FEED);
    const columns = last < 0 ? column + units : fromUtf8(bytes.subarray(last + 1)).length + 1;
    this.#place = { line: line + breaks, column: columns, offset: offset + units };
    this.#isAfterReturn = bytes.at(-1) === CARRIAGE_RETURN;
    this.#placed = at;
    return this.#place;
  }
}

/** Counts the line ends up to the one at `last`, four bytes at a time; CRLF, LF and CR each end one line. */
function countBreaks(bytes: Uint8Array, last: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let breaks = 0;
  for (let at = 0; at <= last; at++) {
    if (at + 4 <= bytes.length) {
      const word = view.getInt32(at, true);
      // If any byte is below 0x10, the lowest set bit marks the first of them.
      const found = (word - 0x10101010) & ~word & 0x80808080;
      if (found === 0) {
        at += 3;
        continue;
      }
      at += (31 - Math.clz32(found & -found)) >> 3;
    }
    const c = bytes[at];
    if (c === LINE_FEED || (c === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED)) breaks++;
  }
  return breaks;
}
