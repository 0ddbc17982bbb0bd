import { parseThoughtLines } from "@agentprint/trail/chain";
import type { Anchor } from "./anchor.ts";
import type { Progress } from "./job.ts";
import { LineIndex } from "./line-index.ts";
import { piecesOf } from "./read-source.ts";

/** A verified trail, of which only the line offsets are stored: lines to be shown are read from the file again. */
export class OpenedTrail {
  readonly source: Blob;
  readonly anchor: Anchor | undefined;
  readonly #index = new LineIndex();

  constructor(source: Blob, anchor: Anchor | undefined) {
    this.source = source;
    this.anchor = anchor;
  }

  /** The number of lines. */
  get lines(): number {
    return this.#index.lines;
  }

  /** Yields the trail's bytes once, and notes where the lines begin. */
  async *read(onProgress: (progress: Progress) => void): AsyncGenerator<Uint8Array, void> {
    for await (const piece of piecesOf(this.source, onProgress)) {
      this.#index.add(piece);
      yield piece;
    }
  }

  /** Returns the values of some lines, which are records or, for other lines, errors. */
  async valuesOf(from: number, to: number): Promise<unknown[]> {
    const [start, end] = this.#index.range(from, to);
    const bytes = new Uint8Array(await this.source.slice(start, end).arrayBuffer());
    const values: unknown[] = [];
    for await (const value of parseThoughtLines([bytes])) values.push(value);
    return values;
  }
}
