import { allocate } from "#platform";
import type { ByteSink } from "../writer/byte-buffer.ts";

const CAPACITY = 4096;

/** Joins short runs of bytes before they go to a sink, because each update of a hash takes time. */
export class JoinedOutput {
  readonly #sink: ByteSink;
  readonly #bytes: Uint8Array = allocate(CAPACITY);
  #length = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  byte(code: number): void {
    if (this.#length === CAPACITY) this.flush();
    this.#bytes[this.#length++] = code;
  }

  bytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > CAPACITY) this.flush();
    if (bytes.length > CAPACITY) {
      this.#sink.update(bytes);
      return;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  flush(): void {
    this.#sink.update(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
  }
}
