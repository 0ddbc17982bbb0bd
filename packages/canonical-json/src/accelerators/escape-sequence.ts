const QUOTE = 0x22;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const SPACE = 0x20;
const FIRST_HIGH = 0xd800;
const FIRST_LOW = 0xdc00;
const AFTER_LOW = 0xe000;
/** The largest number of bytes in a written code point: `\u001f`. */
export const ESCAPE_ROOM = 6;
/** The byte after the backslash of `\b`, `\t`, `\n`, `\f` and `\r`. */
const SHORT: Readonly<Record<number, number>> = { 8: 0x62, 9: 0x74, 10: 0x6e, 12: 0x66, 13: 0x72 };
/**
 * The bytes after the backslash in the escape sequences of canonical text: the bytes in {@link SHORT}, a quote and a
 * backslash.
 */
const KEPT: ReadonlySet<number | undefined> = new Set([QUOTE, BACKSLASH, 0x62, 0x74, 0x6e, 0x66, 0x72]);

/** Returns whether canonical text keeps the escape sequence that begins with a backslash and this byte. */
export function isKept(second: number | undefined): boolean {
  return KEPT.has(second);
}

/**
 * Returns the code point of any other escape sequence at `at`, `\/` or `\u…`, or −1 for a lone surrogate and for
 * anything else.
 */
export function escapedCodePoint(source: Uint8Array, at: number): number {
  if (source[at + 1] === SLASH) return SLASH;
  const unit = unitAt(source, at);
  if (unit < FIRST_HIGH || unit >= AFTER_LOW) return unit;
  const low = unit < FIRST_LOW ? unitAt(source, at + 6) : -1;
  if (low < FIRST_LOW || low >= AFTER_LOW) return -1;
  return 0x10000 + ((unit - FIRST_HIGH) << 10) + (low - FIRST_LOW);
}

/** Returns the number of bytes in the escape sequence at `at`, given its code point. */
export function escapeLength(source: Uint8Array, at: number, code: number): number {
  if (source[at + 1] === SLASH) return 2;
  return code > 0xffff ? 12 : 6;
}

/** Returns the UTF-16 code unit of `\uXXXX`, or −1 for anything else. */
function unitAt(source: Uint8Array, at: number): number {
  if (source[at] !== BACKSLASH || source[at + 1] !== LOWER_U) return -1;
  let unit = 0;
  for (let i = at + 2; i < at + 6; i++) {
    const c = source[i] as number;
    const lower = c | 0x20;
    if (c >= 0x30 && c <= 0x39) unit = unit * 16 + c - 0x30;
    else if (lower >= 0x61 && lower <= 0x66) unit = unit * 16 + lower - 0x57;
    else return -1;
  }
  return unit;
}

/** Writes a code point as in a canonical string, and returns the index after it. */
export function writeCodePoint(bytes: Uint8Array, start: number, code: number): number {
  let at = start;
  if (code < SPACE || code === QUOTE || code === BACKSLASH) {
    bytes[at++] = BACKSLASH;
    const short = code < SPACE ? SHORT[code] : code;
    if (short !== undefined) bytes[at++] = short;
    else for (const c of `u00${code < 16 ? "0" : ""}${code.toString(16)}`) bytes[at++] = c.charCodeAt(0);
  } else if (code < 0x80) {
    bytes[at++] = code;
  } else {
    if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
    else {
      if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
      else {
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      }
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[at++] = 0x80 | (code & 0x3f);
  }
  return at;
}
