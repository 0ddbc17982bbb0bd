import { hashCanonical, sha256Hex } from "@agentprint/canonical-json";
import { type HashedFields, PROFILE } from "./payload.ts";

/** Bytes of scratch memory. Longer texts are hashed as they are written, so that memory does not grow with them. */
const CAPACITY = 16 * 1024;
/** Quotes of the text of six members whose values have none. */
const FRAME_QUOTES = 24;
/** Words that can be counted before a sum of four lanes of eight bits overflows. */
const BLOCK = 63;
/** Fills up the last word. */
const PADDING = "   ";
// No quote, backslash, control or surrogate.
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

const encoder = new TextEncoder();
const bytes = new Uint8Array(CAPACITY);
const words = new Int32Array(bytes.buffer);

/**
 * SHA-256 of the canonical text of `payload`. Where it is six short strings the text is written down directly: the names
 * are known, and only strings have to be looked at. `canonicalize` does everything else, and says the same.
 */
export function hashPayload(payload: HashedFields): string {
  const { content, id, prev_hash, task_id, timestamp, type } = payload;
  const isShortText =
    typeof content === "string" &&
    typeof id === "string" &&
    typeof prev_hash === "string" &&
    typeof task_id === "string" &&
    typeof timestamp === "string" &&
    typeof type === "string" &&
    content.length < CAPACITY;
  if (!isShortText) return hashCanonical(payload, PROFILE);
  // What one reads in a thought most often, which costs little to find.
  const plain = content.includes("\n") ? undefined : encodePlain(payload);
  return sha256Hex(
    plain ??
      `{"content":${JSON.stringify(content)},"id":${quote(id)},"prev_hash":${quote(prev_hash)},"task_id":${quote(task_id)},"timestamp":${quote(timestamp)},"type":${quote(type)}}`,
  );
}

/** The bytes of a payload's text whose values need no escape, until the next call; `undefined` for any other. */
function encodePlain({ content, id, prev_hash, task_id, timestamp, type }: HashedFields): Uint8Array | undefined {
  const text = `{"content":"${content}","id":"${id}","prev_hash":"${prev_hash}","task_id":"${task_id}","timestamp":"${timestamp}","type":"${type}"}${PADDING}`;
  const { read, written } = encoder.encodeInto(text, bytes);
  if (read !== text.length || countEscapable(written >> 2) !== FRAME_QUOTES) return undefined;
  return written === read || text.isWellFormed()
    ? new Uint8Array(bytes.buffer, 0, written - PADDING.length)
    : undefined;
}

/** `JSON.stringify` of a text, which for most texts is faster. */
function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/**
 * How many of the bytes in the first `end` words JSON would escape in a string: quotes, backslashes, controls. Four at a
 * time; a byte behind one of them may be counted, too, so that the sum can be too high, but never too low.
 */
function countEscapable(end: number): number {
  let count = 0;
  for (let from = 0; from < end; from += BLOCK) {
    const to = Math.min(from + BLOCK, end);
    let lanes = 0;
    for (let i = from; i < to; i++) {
      const word = words[i] as number;
      // 0x22 ^ 0x02 is 0x20, so that one subtraction finds the quote and all controls.
      const quoteOrControl = (word ^ 0x02020202) - 0x21212121;
      const backslash = (word ^ 0x5c5c5c5c) - 0x01010101;
      lanes += ((quoteOrControl | backslash) & ~word & 0x80808080) >>> 7;
    }
    count += Math.imul(lanes, 0x01010101) >>> 24;
  }
  return count;
}
