import { type CanonicalJsonError, LineBuffer, parseJson, splitLines } from "@agentprint/canonical-json";
import { parseRecordLine } from "../accelerators/parse-record-line.ts";
import { TrailError } from "../errors.ts";
import { canonicalize } from "../record/digest.ts";
import type { ThoughtRecord } from "../record/record.ts";

const MAX_LINE_BYTES = 64 * 2 ** 20;

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
  readonly #buffer = new LineBuffer();
  #line = 1;

  /** The values of the lines that end in `chunk`. */
  read(chunk: Uint8Array): unknown[] {
    const block = this.#buffer.push(chunk);
    const values = block === undefined ? [] : this.#parseBlock(block);
    if (this.#buffer.pendingBytes > MAX_LINE_BYTES) {
      const message = `line ${this.#line} is longer than ${MAX_LINE_BYTES} bytes`;
      throw new TrailError("line-too-long", message, { line: this.#line });
    }
    return values;
  }

  /** The value of a last line that no line feed ends. */
  end(): unknown[] {
    const line = this.#buffer.end();
    return line === undefined ? [] : [this.#parseBytes(line, true)];
  }

  #parseBlock(block: Uint8Array): unknown[] {
    let text: string;
    try {
      text = this.#decoder.decode(block);
    } catch {
      return splitLines(block).map((line) => this.#parseBytes(line, false));
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
