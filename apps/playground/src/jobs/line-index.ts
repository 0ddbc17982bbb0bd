const LINE_FEED = 0x0a;

/** The byte offsets at which the lines of a text begin, which arrives in pieces. */
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

  /** The number of lines; a line feed at the end of the text begins no further line. */
  get lines(): number {
    return this.#starts.length - (this.#starts.at(-1) === this.#length ? 1 : 0);
  }

  /** Returns the byte offsets at which two lines begin. */
  range(from: number, to: number): readonly [start: number, end: number] {
    const startOf = (line: number): number => this.#starts[line] ?? this.#length;
    return [startOf(from), startOf(to)];
  }
}
