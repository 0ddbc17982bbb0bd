const LINE_FEED = 0x0a;

/** The lines of a text that arrives in pieces: where each begins, in bytes. */
export class LineIndex {
  readonly #starts: number[] = [0];
  #length = 0;

  /** Takes the next piece. */
  add(piece: Uint8Array): void {
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) {
      this.#starts.push(this.#length + at + 1);
    }
    this.#length += piece.length;
  }

  /** The number of lines; a text that ends with a line feed has no line after it. */
  get lines(): number {
    return this.#starts.length - (this.#starts.at(-1) === this.#length ? 1 : 0);
  }

  /** Returns the byte offsets of the beginning of one line and of another. */
  range(from: number, to: number): readonly [start: number, end: number] {
    const startOf = (line: number): number => this.#starts[line] ?? this.#length;
    return [startOf(from), startOf(to)];
  }
}
