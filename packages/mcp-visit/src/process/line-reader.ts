const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Cuts a stream of chunks into lines without copying a long line more than once. */
export class LineReader {
  readonly #onLine: (line: Uint8Array) => void;
  #pending: Buffer[] = [];

  constructor(onLine: (line: Uint8Array) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#pending.push(chunk.subarray(start, end));
      start = end + 1;
      this.#flush();
    }
    if (start < chunk.length) this.#pending.push(chunk.subarray(start));
  }

  #flush(): void {
    const line = this.#pending.length === 1 ? (this.#pending[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#pending);
    this.#pending = [];
    const length = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
    if (length > 0) this.#onLine(line.subarray(0, length));
  }
}
