const LINE_FEED = 0x0a;

/**
 * Joins pieces of a text into blocks of whole lines. The bytes of a line that spans many pieces are copied once.
 *
 * @example
 * ```ts
 * import { LineBuffer, splitLines } from "@agentprint/canonical-json/lines";
 *
 * const buffer = new LineBuffer();
 * const block = buffer.push(new TextEncoder().encode('{"a":1}\n{"b":2}\n{"c"'));
 * console.log(block && splitLines(block).length); // 2
 * console.log(buffer.pendingBytes); // 4
 * ```
 */
export class LineBuffer {
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  /** Bytes of the line that has begun and has not ended yet. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /**
   * The lines that end in a piece, as one block without the last line feed; `undefined` where no line ends in it.
   *
   * @param piece - The next bytes; they are copied where they are kept, so that the caller may use the memory again.
   * @returns The block, which may share memory with the piece: read it before the piece changes.
   */
  push(piece: Uint8Array): Uint8Array | undefined {
    const end = piece.lastIndexOf(LINE_FEED);
    const block = end < 0 ? undefined : this.#join(piece.subarray(0, end));
    if (end + 1 < piece.length) this.#keep(piece.subarray(end + 1));
    return block;
  }

  /** The last line where no line feed ends it; `undefined` where the text has ended with a line feed. */
  end(): Uint8Array | undefined {
    return this.#pendingBytes === 0 ? undefined : this.#join(new Uint8Array());
  }

  #join(last: Uint8Array): Uint8Array {
    if (this.#pendingBytes === 0) return last;
    const joined = new Uint8Array(this.#pendingBytes + last.length);
    let offset = 0;
    for (const piece of this.#pending) {
      joined.set(piece, offset);
      offset += piece.length;
    }
    joined.set(last, offset);
    this.#pending = [];
    this.#pendingBytes = 0;
    return joined;
  }

  #keep(begun: Uint8Array): void {
    this.#pendingBytes += begun.length;
    // `slice` of a Node Buffer would share its memory.
    this.#pending.push(new Uint8Array(begun));
  }
}

/**
 * The lines of a block as views of its memory, without the line feeds between them. An empty block is one empty line.
 *
 * @example
 * ```ts
 * import { splitLines } from "@agentprint/canonical-json/lines";
 *
 * console.log(splitLines(new TextEncoder().encode("a\n\nb")).map((line) => line.length)); // [ 1, 0, 1 ]
 * ```
 */
export function splitLines(block: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = block.indexOf(LINE_FEED); end >= 0; end = block.indexOf(LINE_FEED, start)) {
    lines.push(block.subarray(start, end));
    start = end + 1;
  }
  lines.push(block.subarray(start));
  return lines;
}
