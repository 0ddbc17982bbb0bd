import { createSha256, type Sha256Stream, sha256Hex } from "#sha256";
import { allocate, readUtf8, writeUtf8 } from "#utf8";
import { type EncodedKeys, LONGEST_ENCODED } from "../sort-few.ts";
import { sliceWithoutSplittingSurrogates } from "../text/slice-without-splitting-surrogates.ts";
import { needsEscape } from "./escape-scan.ts";

/** Bytes to begin with. */
const CAPACITY = 128 * 1024;
/** A buffer that grew is kept for the next call up to this size: memory fresh from the system costs a fault a page. */
const KEPT = 2 * 1024 * 1024;
/** Up to here a loop over the code units beats a bulk encode, and beyond ASCII at any length (measured on Node 24). */
const SHORT = 24;
/** Longer strings are written piece by piece, so that a digest never holds the whole. */
const PIECE = 16 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
/** A comma, an encoded key and what its last word has too much. */
const ENCODED_KEY_ROOM = 1 + LONGEST_ENCODED + 3;

/** Anything that JSON escapes in a well-formed text. */
const ESCAPED = /[^ !#-[\]-\uffff]/;

/**
 * What is taken from the buffer at the end. For a digest it drains itself into SHA-256 when it is full; for a text,
 * strings that would be encoded only to be decoded again are kept as they are.
 */
export type Purpose = "bytes" | "digest" | "text";

/** A growing buffer of UTF-8 JSON text. */
export class ByteBuffer {
  private bytes: Uint8Array = allocate(CAPACITY);
  private words: Int32Array = new Int32Array(this.bytes.buffer);
  private view: DataView = new DataView(this.bytes.buffer);
  private length = 0;
  private ascii = true;
  private purpose: Purpose = "text";
  private sink: Sha256Stream | undefined;
  /** What comes before the bytes. */
  private head = "";

  start(purpose: Purpose): void {
    this.purpose = purpose;
  }

  /** Empties the buffer and gives back memory that only a large value needed. */
  reset(): void {
    if (this.bytes.length > KEPT) this.use(allocate(CAPACITY));
    this.length = 0;
    this.ascii = true;
    this.sink = undefined;
    this.head = "";
  }

  toText(): string {
    return this.head + readUtf8(this.bytes, this.length, this.ascii);
  }

  toBytes(): Uint8Array {
    return new Uint8Array(this.bytes.subarray(0, this.length));
  }

  toSha256(): string {
    const rest = this.bytes.subarray(0, this.length);
    if (this.sink === undefined) return sha256Hex(rest);
    this.sink.update(rest);
    return this.sink.hex();
  }

  /** One ASCII character. */
  byte(code: number): void {
    if (this.length === this.bytes.length) this.makeRoom(1);
    this.bytes[this.length++] = code;
  }

  /** A short ASCII text: a literal or a number. */
  literal(text: string): void {
    const { length } = text;
    if (this.length + length > this.bytes.length) this.makeRoom(length);
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < length; i++) bytes[at++] = text.charCodeAt(i);
    this.length = at;
  }

  /** A finite number as ECMAScript writes it, which RFC 8785 §3.2.2.3 adopts; `-0` is `0`. */
  number(value: number): void {
    if ((value | 0) !== value || value < 0) {
      this.literal(String(value));
      return;
    }
    if (this.length + 10 > this.bytes.length) this.makeRoom(10);
    let end = this.length + 1;
    for (let rest = value; rest >= 10; rest = (rest / 10) | 0) end++;
    this.length = end;
    let rest = value;
    do {
      const tens = (rest / 10) | 0;
      this.bytes[--end] = 0x30 + rest - tens * 10;
      rest = tens;
    } while (rest > 0);
  }

  /** The comma that is due, and a key and its colon that were encoded before. */
  encodedKey({ words, starts }: EncodedKeys, index: number, first: boolean): void {
    if (this.length + ENCODED_KEY_ROOM > this.bytes.length) this.makeRoom(ENCODED_KEY_ROOM);
    if (!first) this.bytes[this.length++] = COMMA;
    const { view } = this;
    const start = starts[index] as number;
    const end = starts[index + 1] as number;
    let at = this.length;
    for (let i = start + 1; i < end; i++) {
      view.setInt32(at, words[i] as number, true); // what the last word has too much is overwritten
      at += 4;
    }
    this.length += words[start] as number;
  }

  /** The comma that is due, a key and its colon; see {@link string}. */
  key(text: string, first: boolean, strict: boolean): boolean {
    const { length } = text;
    if (length <= SHORT) {
      const room = length * 3 + 4;
      if (this.length + room > this.bytes.length) this.makeRoom(room);
      const { bytes } = this;
      let at = this.length;
      if (!first) bytes[at++] = COMMA;
      bytes[at++] = QUOTE;
      const end = this.encode(text, at);
      if (end !== -1) {
        bytes[end] = QUOTE;
        bytes[end + 1] = COLON;
        this.length = end + 2;
        return true;
      }
    }
    if (!first) this.byte(COMMA);
    const done = this.string(text, strict);
    this.byte(COLON);
    return done;
  }

  /**
   * A JSON string, escaped as RFC 8785 §3.2.2.2 and `JSON.stringify` do. Returns `false`, having written nothing that
   * matters, when the text has a lone surrogate and `strict` forbids it; else the surrogate is escaped.
   */
  string(text: string, strict: boolean): boolean {
    const { length } = text;
    if (length > PIECE) return this.longString(text, strict);
    const room = length * 3 + 2;
    if (this.length + room > this.bytes.length) this.makeRoom(room);
    if (length > SHORT) {
      if (text.charCodeAt(0) < 0x80) return this.bulkString(text, strict);
      if (this.purpose === "text") return this.keptString(text, strict);
    }
    const { bytes } = this;
    const end = this.encode(text, this.length + 1);
    if (end === -1) return this.escapedString(text, strict);
    bytes[this.length] = QUOTE;
    bytes[end] = QUOTE;
    this.length = end + 1;
    return true;
  }

  /** Encodes a text unit by unit and returns where it ends, or −1 where something in it must be escaped. */
  private encode(text: string, start: number): number {
    const { bytes } = this;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return this.encodeWide(text, i, start + i);
      if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH) return -1;
      bytes[start + i] = unit;
    }
    return start + text.length;
  }

  /** The rest of a text from its first unit beyond ASCII; apart, to keep the common loop small enough to be inlined. */
  private encodeWide(text: string, from: number, start: number): number {
    const { bytes } = this;
    let at = start;
    this.ascii = false;
    for (let i = from; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) {
        if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH) return -1;
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

  /** A string whose room is reserved, encoded in one native call and then searched for what must be escaped. */
  private bulkString(text: string, strict: boolean): boolean {
    const { bytes } = this;
    const at = this.length + 1;
    bytes[this.length] = QUOTE;
    const end = at + writeUtf8(bytes, text, at);
    if (end - at !== text.length) {
      this.ascii = false;
      if (!text.isWellFormed()) return this.escapedString(text, strict);
    }
    if (needsEscape(bytes, this.words, at, end)) return this.escapedString(text, strict);
    bytes[end] = QUOTE;
    this.length = end + 1;
    return true;
  }

  private keptString(text: string, strict: boolean): boolean {
    if (!text.isWellFormed() || ESCAPED.test(text)) return this.escapedString(text, strict);
    this.byte(QUOTE);
    this.head = this.toText() + text;
    this.length = 0;
    this.ascii = true;
    this.byte(QUOTE);
    return true;
  }

  /** The rare case: native `JSON.stringify` escapes, which no polluted prototype can reach for a primitive. */
  private escapedString(text: string, strict: boolean): boolean {
    if (strict && !text.isWellFormed()) return false;
    this.text(JSON.stringify(text));
    return true;
  }

  private longString(text: string, strict: boolean): boolean {
    if (strict && !text.isWellFormed()) return false;
    this.byte(QUOTE);
    for (const piece of pieces(text)) this.text(JSON.stringify(piece).slice(1, -1));
    this.byte(QUOTE);
    return true;
  }

  /** JSON text of any length. */
  longText(json: string): void {
    for (const piece of pieces(json)) this.text(piece);
  }

  /** Text that is JSON already. */
  text(json: string): void {
    const room = json.length * 3;
    if (this.length + room > this.bytes.length) this.makeRoom(room);
    const written = writeUtf8(this.bytes, json, this.length);
    if (written !== json.length) this.ascii = false;
    this.length += written;
  }

  private makeRoom(wanted: number): void {
    if (this.purpose === "digest") {
      this.sink ??= createSha256();
      this.sink.update(this.bytes.subarray(0, this.length));
      this.length = 0;
      if (wanted <= this.bytes.length) return;
    }
    const grown = allocate(Math.max(this.bytes.length * 2, (this.length + wanted + 3) & ~3));
    grown.set(this.bytes.subarray(0, this.length));
    this.use(grown);
  }

  private use(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.words = new Int32Array(bytes.buffer);
    this.view = new DataView(bytes.buffer);
  }
}

function* pieces(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const piece = sliceWithoutSplittingSurrogates(text, from, from + PIECE);
    yield piece;
    from += piece.length;
  }
}
