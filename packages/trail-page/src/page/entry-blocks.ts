import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { TrailEntry } from "@agentprint/recorder/events";
import { formatEntry } from "./entry-lines.ts";
import { packValues } from "./pack-values.ts";

/** Entries of one block: what a page reads to show some of them. */
const BLOCK_ENTRIES = 1000;

const compress = promisify(gzip);

/**
 * The entries of a run in a page: blocks of lines, each encoded by itself. The digests and signatures of a block are
 * taken out, and the rest is compressed. Both are written as Base64, with a space between.
 */
export class EntryBlocks {
  readonly #blocks: Promise<string>[] = [];
  #lines: string[] = [];

  async add(entry: TrailEntry): Promise<void> {
    this.#lines.push(formatEntry(entry));
    if (this.#lines.length === BLOCK_ENTRIES) await this.#end();
  }

  /** Returns all blocks, in their order. */
  async finish(): Promise<readonly string[]> {
    await this.#end();
    return Promise.all(this.#blocks);
  }

  async #end(): Promise<void> {
    if (this.#lines.length === 0) return;
    const block = formatBlock(this.#lines.join("\n"));
    this.#lines = [];
    this.#blocks.push(block);
    // One block is compressed while the next one is read.
    await this.#blocks.at(-2);
  }
}

async function formatBlock(lines: string): Promise<string> {
  const { text, bytes } = packValues(lines);
  return `${await compressText(text)} ${Buffer.from(bytes).toString("base64")}`;
}

/** Returns a text in the form for a page: compressed, in Base64. */
export async function compressText(text: string): Promise<string> {
  return (await compress(text, { level: 9 })).toString("base64");
}
