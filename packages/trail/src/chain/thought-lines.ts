import { type CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import { parseRecordLine } from "../accelerators/parse-record-line.ts";
import { TrailError } from "../errors.ts";
import { canonicalize } from "../record/digest.ts";
import type { ThoughtRecord } from "../record/record.ts";

const MAX_LINE_BYTES = 64 * 2 ** 20;
const LINE_FEED = 0x0a;

/** UTF-8 text in pieces of any size. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * One line of JSON Lines text: the canonical text of the record and a line feed.
 *
 * @example
 * ```ts
 * import { formatThoughtLine } from "@agentprint/trail/chain";
 *
 * const text = records.map((record) => formatThoughtLine(record)).join("");
 * ```
 */
export function formatThoughtLine(record: ThoughtRecord): string {
  return `${canonicalize(record)}\n`;
}

/**
 * The values of a JSON Lines text that comes in pieces of UTF-8, strictly parsed: duplicate keys are refused. A line
 * that is not JSON, also an empty one, yields a {@link TrailError} in its place, which `verifyChain` reports.
 *
 * @throws {@link TrailError} `line-too-long` when a line has more than 64 MiB.
 *
 * @example
 * ```ts
 * import { createReadStream } from "node:fs";
 * import { parseThoughtLines, verifyChain } from "@agentprint/trail/chain";
 *
 * const report = await verifyChain(parseThoughtLines(createReadStream("trail.jsonl")));
 * ```
 */
export async function* parseThoughtLines(chunks: ByteSource): AsyncGenerator<unknown, void, undefined> {
  const reader = new LineReader();
  for await (const chunk of chunks) yield* reader.read(chunk);
  yield* reader.end();
}

/** Turns pieces of JSON Lines text into values: each line is parsed once its line feed has come. */
export class LineReader {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #line = 1;
  #rest: Uint8Array[] = [];
  #restBytes = 0;

  /** The values of the lines that end in `chunk`. */
  read(chunk: Uint8Array): unknown[] {
    const end = chunk.lastIndexOf(LINE_FEED);
    const tail = chunk.subarray(end + 1);
    const values = end < 0 ? [] : this.#parseBlock(this.#take(chunk.subarray(0, end)));
    if (tail.length > 0) this.#keep(tail);
    return values;
  }

  /** The value of a last line that no line feed ends. */
  end(): unknown[] {
    return this.#restBytes === 0 ? [] : [this.#parseBytes(this.#take(new Uint8Array()), true)];
  }

  #take(block: Uint8Array): Uint8Array {
    if (this.#restBytes === 0) return block;
    const joined = new Uint8Array(this.#restBytes + block.length);
    let offset = 0;
    for (const piece of [...this.#rest, block]) {
      joined.set(piece, offset);
      offset += piece.length;
    }
    this.#rest = [];
    this.#restBytes = 0;
    return joined;
  }

  #keep(tail: Uint8Array): void {
    this.#restBytes += tail.length;
    if (this.#restBytes > MAX_LINE_BYTES) {
      const message = `line ${this.#line} is longer than ${MAX_LINE_BYTES} bytes`;
      throw new TrailError("line-too-long", message, { line: this.#line });
    }
    // A copy, because the caller may use its buffer again; `slice` of a Node Buffer would not copy.
    this.#rest.push(new Uint8Array(tail));
  }

  #parseBlock(block: Uint8Array): unknown[] {
    let text: string;
    try {
      text = this.#decoder.decode(block);
    } catch {
      return splitBytes(block).map((line) => this.#parseBytes(line, false));
    }
    return text.split("\n").map((line) => this.#parseText(line, false));
  }

  #parseBytes(bytes: Uint8Array, last: boolean): unknown {
    try {
      return this.#parseText(this.#decoder.decode(bytes), last);
    } catch (error) {
      return this.#failure("invalid UTF-8", last, { cause: error });
    }
  }

  #parseText(text: string, last: boolean): unknown {
    try {
      const value = parseRecordLine(text) ?? parseStrictly(text);
      this.#line++;
      return value;
    } catch (error) {
      const { code, message, column } = error as CanonicalJsonError;
      return this.#failure(message, last && code === "unexpected-end", { column, cause: error });
    }
  }

  #failure(reason: string, cut: boolean, place: { column?: number | undefined; cause: unknown }): TrailError {
    const line = this.#line++;
    const message = cut ? `the text ends inside line ${line}` : `line ${line} is not JSON: ${reason}`;
    return new TrailError(cut ? "truncated-line" : "malformed-line", message, {
      line,
      ...place,
      column: place.column ?? 1,
    });
  }
}

function splitBytes(block: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = block.indexOf(LINE_FEED); end >= 0; end = block.indexOf(LINE_FEED, start)) {
    lines.push(block.subarray(start, end));
    start = end + 1;
  }
  return [...lines, block.subarray(start)];
}

/**
 * The value of `text` as `parseJson` reads it. That refuses the escape of a lone surrogate, which `formatThoughtLine` may
 * have written; so a text that `JSON.stringify` writes again unchanged is accepted, too: it can be read in one way only.
 */
function parseStrictly(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const value = parseNatively(text);
    if (JSON.stringify(value) === text) return value;
    throw error;
  }
}

function parseNatively(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
