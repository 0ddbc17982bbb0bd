/// <reference lib="dom" />
import type { TrailEntry } from "@agentprint/recorder/events";
import { parseEntry } from "../entry-lines.ts";
import { unpackValues } from "../unpack-values.ts";

/** The blocks of entries that the page contains. */
export class Blocks {
  readonly #elements = [...document.querySelectorAll<HTMLScriptElement>("script.block")];
  /** The place of the first record in each block that was read. */
  readonly #starts: number[] = [];
  #kept: { readonly index: number; readonly entries: Promise<readonly TrailEntry[]> } | undefined;

  get count(): number {
    return this.#elements.length;
  }

  /** Adds the entries of the next block, whose first record has this place. */
  async readNext(place: number): Promise<readonly TrailEntry[]> {
    this.#starts.push(place);
    return this.#read(this.#starts.length - 1);
  }

  /** Returns the entry whose record has this place in one of the blocks that were read. */
  async entryAt(place: number): Promise<TrailEntry | undefined> {
    const index = this.#starts.findLastIndex((start) => start <= place);
    let at = this.#starts[index] ?? 0;
    for (const entry of await this.#keep(index)) {
      if (entry.is === "missing" || entry.is === "not-ended") continue;
      if (at++ === place) return entry;
    }
    return undefined;
  }

  /** Returns a block's entries and caches them, because most lookups are in the same block as the previous lookup. */
  #keep(index: number): Promise<readonly TrailEntry[]> {
    if (this.#kept?.index !== index) this.#kept = { index, entries: this.#read(index) };
    return this.#kept.entries;
  }

  async #read(index: number): Promise<readonly TrailEntry[]> {
    const [compressed = "", values = ""] = (this.#elements[index]?.textContent ?? "").split(" ");
    const lines = unpackValues({ text: await decompress(compressed), bytes: fromBase64(values) });
    return lines.split("\n").map(parseEntry);
  }
}

/**
 * Returns the decompressed text.
 *
 * @throws {Error} when the input is not Base64 or the compressed data is incomplete
 */
export async function decompress(base64: string): Promise<string> {
  const stream = new Blob([fromBase64(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
}
