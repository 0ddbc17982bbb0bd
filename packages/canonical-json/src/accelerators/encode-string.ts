/**
 * Encodes the text of a JSON string unless a character must be escaped. Most strings need no escape, and
 * `JSON.stringify` would allocate a copy of each.
 *
 * Improves the benchmarks "record", "tool definition", "10 MB" and "Chinese"; see `encodeUnits` and `needsEscape`.
 */
import { writeUtf8 } from "#platform";
import { needsEscape } from "./escape-scan.ts";

/** Up to this length, in UTF-16 code units, a loop is faster than the native encoder. */
const MAX_LOOP_LENGTH = 24;
const HIGHEST_ASCII = 0x7f;
const FIRST_PRINTABLE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Writes the UTF-8 of a text at an index and returns the index after it, or −1 if the text must be escaped.
 *
 * @param bytes - A buffer with room for three bytes per UTF-16 code unit of the text.
 * @param words - The same memory as four-byte words.
 */
export function encodeString(bytes: Uint8Array, words: Int32Array, start: number, text: string): number {
  // Beyond ASCII the loop is faster at any length, because the native encoder would need a second pass for lone
  // surrogates.
  if (text.length <= MAX_LOOP_LENGTH || text.charCodeAt(0) > HIGHEST_ASCII) return encodeUnits(bytes, start, text);
  const end = start + writeUtf8(bytes, text, start);
  if (end - start !== text.length && !text.isWellFormed()) return -1;
  return needsEscape(bytes, words, start, end) ? -1 : end;
}

/**
 * Like {@link encodeString}, but unit by unit. Improves the ratio for a tool definition from 2.3 to 2.6 (bar 3.0 for
 * text and 2.8 for a digest).
 */
function encodeUnits(bytes: Uint8Array, start: number, text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > HIGHEST_ASCII) return encodeWide(bytes, start + i, text, i);
    if (unit < FIRST_PRINTABLE || unit === QUOTE || unit === BACKSLASH) return -1;
    bytes[start + i] = unit;
  }
  return start + text.length;
}

/**
 * Encodes the rest of a text from its first unit beyond ASCII. A separate function keeps the loop above small enough to
 * be inlined.
 */
function encodeWide(bytes: Uint8Array, start: number, text: string, from: number): number {
  let at = start;
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit <= HIGHEST_ASCII) {
      if (unit < FIRST_PRINTABLE || unit === QUOTE || unit === BACKSLASH) return -1;
      bytes[at++] = unit;
      continue;
    }
    if (unit < 0x800) {
      bytes[at++] = 0xc0 | (unit >> 6);
    } else if (unit < 0xd800 || unit > 0xdfff) {
      bytes[at++] = 0xe0 | (unit >> 12);
      bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
    } else {
      const low = text.charCodeAt(++i) - 0xdc00;
      if (unit > 0xdbff || !(low >= 0 && low < 0x400)) return -1;
      const point = 0x10000 + ((unit - 0xd800) << 10) + low;
      bytes[at++] = 0xf0 | (point >> 18);
      bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[at++] = 0x80 | (point & 0x3f);
      continue;
    }
    bytes[at++] = 0x80 | (unit & 0x3f);
  }
  return at;
}
