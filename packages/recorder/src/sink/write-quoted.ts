const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** The maximum number of UTF-8 bytes per UTF-16 unit. */
const MAX_UNIT_BYTES = 3;
/** The number of backslashes before each byte. */
const BACKSLASHES = Uint8Array.from({ length: 256 }, (_, byte) => (byte === QUOTE || byte === BACKSLASH ? 1 : 0));

/**
 * The maximum number of bytes per UTF-16 unit in a JSON text; a text of n units fits into n + 1 times as many bytes.
 */
export const QUOTED_UNIT_BYTES = 6;

/**
 * Writes a text as a JSON string in UTF-8 at an offset in memory that has room for it, and returns the offset after it.
 * Needed for the bench bar "recorder/record": in an event's text, every tenth character is a quotation mark, and
 * `JSON.stringify` takes twice as long for such texts. `test/chain-line.test.ts` compares the result with
 * `JSON.stringify`.
 */
export function writeQuoted(target: Buffer, text: string, at: number): number {
  if (!text.isWellFormed()) return at + target.write(JSON.stringify(text), at);
  // The text is first written behind the place of the JSON text, which grows by at most one byte for each byte read.
  let read = at + 1 + MAX_UNIT_BYTES * text.length;
  const end = read + target.write(text, read);
  let write = at;
  let signs = 0;
  target[write++] = QUOTE;
  for (; read < end; read++) {
    const byte = target[read] as number;
    // This avoids a branch, because the positions of quotation marks are unpredictable.
    target[write] = BACKSLASH;
    write += BACKSLASHES[byte] as number;
    target[write++] = byte;
    signs |= byte - SPACE;
  }
  // The value is negative if a byte was a control character, which has its own escape.
  if (signs < 0) return at + target.write(JSON.stringify(text), at);
  target[write++] = QUOTE;
  return write;
}
