/** A decoded text, and the place of each of its characters in the original text. */
export interface DecodedText {
  readonly text: string;
  /** For each UTF-16 unit, the indexes where its encoded form begins (`starts`) and ends (`ends`). */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

const ESCAPE =
  /'\\''|\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\([^ux]|[ux](?![0-9a-f{]))|((?:%[0-9a-f]{2})+)|&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));|\r?\n[ \t]*/giu;
const SHORT: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", 0: "\0" };
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/**
 * Decodes one level of JSON, JavaScript, shell, URL and XML escapes in a text, and removes white space that wraps a
 * line. Returns `undefined` if nothing is escaped.
 */
export function decodeEscapes(text: string): DecodedText | undefined {
  const pieces: string[] = [];
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let length = 0;
  let shown = 0;
  const add = (piece: string, start: number, width: number | undefined): void => {
    pieces.push(piece);
    for (let index = 0; index < piece.length; index++, length++) {
      starts[length] = width === undefined ? start + index : start;
      ends[length] = width === undefined ? start + index + 1 : start + width;
    }
  };
  for (const match of text.matchAll(ESCAPE)) {
    add(text.slice(shown, match.index), shown, undefined);
    const [found, braced, four, two, short, percent, hex, decimal, entity] = match;
    shown = match.index + found.length;
    const codePoint = braced ?? four ?? two ?? hex;
    if (percent !== undefined)
      for (const [piece, at, width] of decodePercent(percent)) add(piece, match.index + at, width);
    else if (codePoint !== undefined) add(characterOf(Number.parseInt(codePoint, 16)), match.index, found.length);
    else if (decimal !== undefined) add(characterOf(Number(decimal)), match.index, found.length);
    else if (entity !== undefined) add(ENTITIES[entity.toLowerCase()] ?? found, match.index, found.length);
    else if (short !== undefined) add(SHORT[short] ?? short, match.index, found.length);
    else add(found === "'\\''" ? "'" : "", match.index, found.length);
  }
  if (shown === 0) return undefined;
  add(text.slice(shown), shown, undefined);
  const decoded = pieces.join("");
  return decoded === text ? undefined : { text: decoded, starts, ends };
}

/** Decodes percent-encoded UTF-8 character by character; a byte that does not begin a character is left unchanged. */
function* decodePercent(text: string): Generator<[piece: string, start: number, width: number | undefined]> {
  for (let at = 0; at < text.length; ) {
    const first = Number.parseInt(text.slice(at + 1, at + 3), 16);
    const bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const encoded = text.slice(at, at + 3 * bytes);
    const decoded = decodeUtf8(encoded);
    const width = decoded === undefined ? 3 : encoded.length;
    yield decoded === undefined ? [text.slice(at, at + 3), at, undefined] : [decoded, at, width];
    at += width;
  }
}

function decodeUtf8(encoded: string): string | undefined {
  const text = Buffer.from(encoded.replaceAll("%", ""), "hex").toString();
  return text.includes("\ufffd") && !/^%ef%bf%bd$/i.test(encoded) ? undefined : text;
}

function characterOf(codePoint: number): string {
  return codePoint > 0x10ffff ? "\ufffd" : String.fromCodePoint(codePoint);
}
