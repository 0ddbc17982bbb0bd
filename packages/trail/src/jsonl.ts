import { type CanonicalJsonError, canonicalize, parseJson } from "@agentprint/canonical-json";
import { TrailError } from "./errors.ts";
import { PROFILE } from "./payload.ts";
import type { ThoughtRecord } from "./schema.ts";

const MAX_LINE_BYTES = 64 * 2 ** 20;
const LINE_FEED = 10;
// A record as `formatThoughtLine` writes it where only the content has escapes, none of them by number.
const TEXT = '"([^"\\\\\\x00-\\x1f]*)"';
const ESCAPED_TEXT = '"([^"\\\\\\x00-\\x1f]*(?:\\\\["\\\\bfnrt][^"\\\\\\x00-\\x1f]*)*)"';
const RECORD = new RegExp(
  `^\\{"agent_id":${TEXT},"content":${ESCAPED_TEXT},"hash":${TEXT},"id":${TEXT},"prev_hash":${TEXT},"task_id":${TEXT},"timestamp":${TEXT},"type":${TEXT}\\}$`,
);
// A regular expression keeps a note of every character that it may have to go back to.
const LONGEST_MATCHED = 64 * 1024;

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
  return `${canonicalize(record, PROFILE)}\n`;
}

/**
 * The values of a JSON Lines text that comes in pieces of UTF-8, strictly parsed: duplicate keys are refused. A line
 * that is not JSON yields a `TrailError` in its place, which `verifyChain` reports; empty lines are errors too.
 *
 * @throws `TrailError` `line-too-long`: a line of more than 64 MiB.
 *
 * @example
 * ```ts
 * import { createReadStream } from "node:fs";
 * import { parseThoughtLines, verifyChain } from "@agentprint/trail/chain";
 *
 * const report = await verifyChain(parseThoughtLines(createReadStream("trail.jsonl")));
 * ```
 */
export async function* parseThoughtLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<unknown, void, undefined> {
  const reader = new LineReader();
  for await (const chunk of chunks) yield* reader.read(chunk);
  yield* reader.end();
}

/** Turns pieces of JSON Lines text into values. */
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
    // The caller may use its buffer again; `slice` of a Node Buffer would not copy.
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
      const value = parseFast(text) ?? parseJson(text);
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
 * The value of a text that can only be read in one way, `undefined` for any other: a record as `formatThoughtLine`
 * writes it, or a text that `JSON.stringify` writes again unchanged. The first has no name to be misread, and the second
 * would be written otherwise: V8 13 reads some escaped names wrongly (nodejs/node#63785).
 */
function parseFast(text: string): unknown {
  const record = text.length <= LONGEST_MATCHED ? RECORD.exec(text) : null;
  if (record) {
    const [, agent_id, escaped, hash, id, prev_hash, task_id, timestamp, type] = record as unknown as string[];
    const content = escaped?.includes("\\") ? JSON.parse(`"${escaped}"`) : escaped;
    return { agent_id, content, hash, id, prev_hash, task_id, timestamp, type };
  }
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
