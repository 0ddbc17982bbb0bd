import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { TrailEntry } from "@agentprint/recorder/events";
import { formatEntry } from "./entry-lines.ts";
import { packValues } from "./pack-values.ts";

/** The number of entries in one block, all of which a page reads to show some of them. */
const BLOCK_ENTRIES = 1000;

const compress = promisify(gzip);

/**
 * A run's entries in a page, as blocks of lines, each of which is encoded separately. A block's digests and signatures
 * are taken out, and the rest is compressed. Both are written in Base64, separated by a space.
 */
export class EntryBlocks {
  readonly #blocks: Promise<string>[] = [];
  #lines: string[] = [];

  async add(entry: TrailEntry): Promise<void> {
    this.#lines.push(formatEntry(entry));
    if (this.#lines.length === BLOCK_ENTRIES) await this.#end();
  }

  /** Returns all blocks in order. */
  async finish(): Promise<readonly string[]> {
    await this.#end();
    return Promise.all(this.#blocks);
  }

  async #end(): Promise<void> {
    if (this.#lines.length === 0) return;
    const block = formatBlock(this.#lines.join("\n"));
    this.#lines = [];
    this.#blocks.push(block);
    // A block is compressed while the next one is read.
    await this.#blocks.at(-2);
  }
}

async function formatBlock(lines: string): Promise<string> {
  const { text, bytes } = packValues(lines);
  return `${await compressText(text)} ${Buffer.from(bytes).toString("base64")}`;
}

/** Returns text in the form in which a page contains it: compressed and in Base64. */
export async function compressText(text: string): Promise<string> {
  return (await compress(text, { level: 9 })).toString("base64");
}
