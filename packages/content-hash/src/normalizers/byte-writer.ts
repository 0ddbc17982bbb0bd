import type { ByteSink } from "./normalizer.ts";

const CAPACITY = 16 * 1024;

/** Collects small pieces, so that a sink receives a few large ones. */
export class ByteWriter {
  readonly #sink: ByteSink;
  readonly #buffer: Uint8Array = new Uint8Array(CAPACITY);
  #length = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  write(bytes: Uint8Array, start: number, end: number): void {
    if (end - start > CAPACITY - this.#length) this.flush();
    if (end - start > CAPACITY) {
      this.#sink.write(bytes.subarray(start, end));
      return;
    }
    const buffer = this.#buffer;
    let length = this.#length;
    // `set` would need a view of each line, which the garbage collector would then have to free.
    for (let index = start; index < end; index++) buffer[length++] = bytes[index]!;
    this.#length = length;
  }

  repeat(byte: number, times: number): void {
    for (let left = times; left > 0; left--) {
      if (this.#length === CAPACITY) this.flush();
      this.#buffer[this.#length++] = byte;
    }
  }

  mark(): void {
    this.flush();
    this.#sink.mark();
  }

  rollback(): void {
    this.#length = 0;
    this.#sink.rollback();
  }

  flush(): void {
    if (this.#length > 0) this.#sink.write(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
  }
}
