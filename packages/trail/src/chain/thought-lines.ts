import { type CanonicalJsonError, LineBuffer, parseJson, splitLines } from "@agentprint/canonical-json";
import { parseRecordLine } from "../accelerators/parse-record-line.ts";
import { checkArgument } from "../check-argument.ts";
import { TrailError } from "../errors.ts";
import { canonicalize } from "../record/digest.ts";
import type { ThoughtRecord } from "../record/record.ts";

const MAX_LINE_BYTES = 64 * 2 ** 20;
const PART_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/** UTF-8 text in pieces of any size. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Returns one line of JSON Lines text: the canonical text of the record and a line feed.
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
 * Yields the values of a JSON Lines text that arrives in pieces of UTF-8, strictly parsed: duplicate keys are refused.
 * A line that is not JSON, including a blank one that is not the last, yields a {@link TrailError} instead, which
 * `verifyChain` reports.
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

/** Turns pieces of JSON Lines text into values: each line is parsed once its line feed has arrived. */
export class LineReader {
  readonly #buffer = new LineBuffer();
  readonly #parser = new LineParser();
  #line = 1;
  /** The error about a blank line that is so far the last line. */
  #blank: TrailError | undefined;

  /** Returns the values of the lines that end in `chunk`. */
  read(chunk: Uint8Array): unknown[] {
    const values: unknown[] = [];
    for (const block of blocksOf(this.#buffer, chunk)) {
      const parsed = this.#parser.parseBlock(block, this.#line);
      for (const value of parsed) values.push(value);
      this.#line += parsed.length;
    }
    checkLineLength(this.#buffer.pendingBytes, this.#line);
    return values.length === 0 ? values : this.#withoutBlankEnd(values);
  }

  /** Returns the value of the last line if no line feed ends it. */
  end(): unknown[] {
    const line = this.#buffer.end();
    return line === undefined ? [] : this.#withoutBlankEnd([this.#parser.parseLastLine(line, this.#line)]);
  }

  /** Whether the last line is blank. A blank line is an error if another line follows. */
  get endsBlank(): boolean {
    return this.#blank !== undefined;
  }

  /** Holds back the error about a blank last line until another line follows. */
  #withoutBlankEnd(values: unknown[]): unknown[] {
    if (this.#blank !== undefined) values.unshift(this.#blank);
    const last = values.at(-1);
    this.#blank = last instanceof TrailError && BLANK.has(last) ? last : undefined;
    if (this.#blank !== undefined) values.pop();
    return values;
  }
}

/** The errors about blank lines. */
const BLANK = new WeakSet<TrailError>();

/** Yields the lines that end in `chunk`, in one block or two: only the line that began before it is copied. */
function* blocksOf(buffer: LineBuffer, chunk: Uint8Array): Generator<Uint8Array> {
  checkArgument("chunk", chunk, "bytes");
  const end = buffer.pendingBytes === 0 ? 0 : chunk.indexOf(LINE_FEED) + 1;
  for (const piece of [chunk.subarray(0, end), chunk.subarray(end)]) {
    const block = buffer.push(piece);
    if (block !== undefined) yield block;
  }
}

/** @throws {@link TrailError} `line-too-long` when a line has more than 64 MiB. */
function checkLineLength(bytes: number, line: number): void {
  if (bytes <= MAX_LINE_BYTES) return;
  throw new TrailError("line-too-long", `line ${line} is longer than ${MAX_LINE_BYTES} bytes`, { line });
}

/** Turns complete lines of a text into values, or into a {@link TrailError} for a line without a value. */
class LineParser {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  /**
   * Returns the values of a block of lines with a line feed between them.
   *
   * @param first - The 1-based number of the first of these lines in the text.
   */
  parseBlock(block: Uint8Array, first: number): unknown[] {
    const values: unknown[] = [];
    for (const part of partsOf(block)) {
      let text: string;
      try {
        text = this.#decoder.decode(part);
      } catch {
        for (const line of splitLines(part)) values.push(this.#parseBytes(line, first + values.length, false));
        continue;
      }
      for (const line of text.split("\n")) values.push(parseText(line, first + values.length, false));
    }
    return values;
  }

  /** Returns the value of a last line that no line feed ends. */
  parseLastLine(bytes: Uint8Array, line: number): unknown {
    return this.#parseBytes(bytes, line, true);
  }

  #parseBytes(bytes: Uint8Array, line: number, last: boolean): unknown {
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch (error) {
      return failure("invalid UTF-8", last, { line, column: undefined, cause: error });
    }
    return parseText(text, line, last);
  }
}

/**
 * Yields the lines of a block in small parts, because V8 stores strings of more than 128 KB separately, and decoding
 * them takes twice as long.
 */
function* partsOf(block: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  while (block.length - start > PART_BYTES) {
    const end = block.indexOf(LINE_FEED, start + PART_BYTES);
    if (end < 0) break;
    yield block.subarray(start, end);
    start = end + 1;
  }
  yield block.subarray(start);
}

function parseText(text: string, line: number, last: boolean): unknown {
  try {
    return parseRecordLine(text) ?? parseStrictly(text);
  } catch (error) {
    const { code, message, column } = error as CanonicalJsonError;
    const isBlank = /^[ \t\r]*$/.test(text);
    const refusal = failure(message, last && !isBlank && code === "unexpected-end", { line, column, cause: error });
    if (isBlank) BLANK.add(refusal);
    return refusal;
  }
}

interface Place {
  readonly line: number;
  readonly column: number | undefined;
  readonly cause: unknown;
}

function failure(reason: string, cut: boolean, { line, column = 1, cause }: Place): TrailError {
  const message = cut ? `the text ends inside line ${line}` : `line ${line} is not JSON: ${reason}`;
  return new TrailError(cut ? "truncated-line" : "malformed-line", message, { line, column, cause });
}

/**
 * Returns the value of `text` as `parseJson` reads it. `parseJson` refuses the escape of a lone surrogate, which
 * `formatThoughtLine` may have written; so a text that `JSON.stringify` writes back unchanged is accepted too, because
 * it can be read in only one way.
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
