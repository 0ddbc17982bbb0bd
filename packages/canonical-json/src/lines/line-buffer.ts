import { checkArgument } from "../arguments/check-argument.ts";

const LINE_FEED = 0x0a;

/**
 * Joins pieces of text into blocks of complete lines. A line that spans many pieces is joined once, when it ends,
 * because joining it at each piece would copy its first bytes again and again.
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

  /** The number of bytes in the line that has not ended yet. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /**
   * Takes the next piece of the text and returns the lines that end in it.
   *
   * @param piece - The next bytes. The buffer copies the bytes of a line that does not end in the piece.
   * @returns The lines in one block without the last line feed, or `undefined` if no line ends in the piece. The block
   * may share the piece's memory, so read it before the piece changes.
   */
  push(piece: Uint8Array): Uint8Array | undefined {
    const end = piece.lastIndexOf(LINE_FEED);
    const block = end < 0 ? undefined : this.#join(piece.subarray(0, end));
    if (end + 1 < piece.length) this.#keep(piece.subarray(end + 1));
    return block;
  }

  /** Returns the last line if no line feed ends it; `undefined` if the text ended with a line feed. */
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
 * Returns a block's lines as views of its memory, without the line feeds between them. An empty block is one empty
 * line.
 *
 * @example
 * ```ts
 * import { splitLines } from "@agentprint/canonical-json/lines";
 *
 * console.log(splitLines(new TextEncoder().encode("a\n\nb")).map((line) => line.length)); // [ 1, 0, 1 ]
 * ```
 */
export function splitLines(block: Uint8Array): Uint8Array[] {
  checkArgument("block", block, "bytes");
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = block.indexOf(LINE_FEED); end >= 0; end = block.indexOf(LINE_FEED, start)) {
    lines.push(block.subarray(start, end));
    start = end + 1;
  }
  lines.push(block.subarray(start));
  return lines;
}
