import { CanonicalJsonError, canonicalize, parseJson } from "@agentprint/canonical-json";
import { TrailError } from "./errors.ts";
import { PROFILE } from "./payload.ts";
import type { ThoughtRecord } from "./schema.ts";

const MAX_LINE_BYTES = 64 * 2 ** 20;
const LINE_FEED = 10;

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
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let line = 1;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      pending.push(chunk.subarray(start, end));
      yield parseLine(join(pending), line++, decoder);
      pending = [];
      pendingBytes = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      pendingBytes += chunk.length - start;
      if (pendingBytes > MAX_LINE_BYTES) {
        throw new TrailError("line-too-long", `line ${line} is longer than ${MAX_LINE_BYTES} bytes`, { line });
      }
      pending.push(chunk.slice(start));
    }
  }
  if (pendingBytes > 0) yield parseLine(join(pending), line, decoder, true);
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (first && pieces.length === 1) return first;
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}

function parseLine(bytes: Uint8Array, line: number, decoder: InstanceType<typeof TextDecoder>, last = false): unknown {
  try {
    const text = decoder.decode(bytes);
    return parseFast(text) ?? parseJson(text);
  } catch (error) {
    const detail = error instanceof CanonicalJsonError ? error : undefined;
    const cut = last && (detail === undefined || detail.code === "unexpected-end");
    return new TrailError(
      cut ? "truncated-line" : "malformed-line",
      cut ? `the text ends inside line ${line}` : `line ${line} is not JSON: ${detail?.message ?? "invalid UTF-8"}`,
      { line, column: detail?.column ?? 1, cause: error },
    );
  }
}

/**
 * Native parsing of a text that is written as `JSON.stringify` writes it, `undefined` for any other: only a text
 * without duplicate keys comes back the same, and that is checked faster than the strict parser reads.
 */
function parseFast(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
