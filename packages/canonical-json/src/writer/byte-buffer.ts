import { allocate, readUtf8, writeUtf8 } from "#platform";
import { encodeString } from "../accelerators/encode-string.ts";
import { INTEGER_ROOM, isSmallInteger, writeInteger } from "../accelerators/integers.ts";
import { MAX_PIECE_LENGTH, pieces } from "../accelerators/pieces.ts";
import { CACHED_KEY_ROOM, type EncodedKeys, writeCachedKey } from "../accelerators/remembered-keys.ts";

/** The size of a new buffer in bytes. */
const CAPACITY = 128 * 1024;
/**
 * The size, in bytes, up to which a grown buffer is kept for the next call, because clearing the pages of new memory
 * takes time.
 */
const MAX_KEPT_CAPACITY = 2 * 1024 * 1024;
/** UTF-8 takes at most three bytes for each UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Takes bytes whose memory is reused afterwards, such as a SHA-256 stream. */
export interface ByteSink {
  update(bytes: Uint8Array): void;
}

/**
 * A growing buffer of UTF-8 JSON text. With a sink it does not grow: when it is full, its bytes are passed to the
 * sink.
 */
export class ByteBuffer {
  #bytes: Uint8Array = allocate(CAPACITY);
  /** Two views of the same memory. */
  #words: Int32Array = new Int32Array(this.#bytes.buffer);
  #view: DataView = new DataView(this.#bytes.buffer);
  #length = 0;
  /** Whether each written UTF-16 code unit took one byte. */
  #ascii = true;
  #sink: ByteSink | undefined;

  start(sink: ByteSink | undefined): void {
    this.#sink = sink;
  }

  /** Empties the buffer and releases memory that only a large value needed. */
  reset(): void {
    if (this.#bytes.length > MAX_KEPT_CAPACITY) this.#use(allocate(CAPACITY));
    this.#length = 0;
    this.#ascii = true;
    this.#sink = undefined;
  }

  toText(): string {
    return readUtf8(this.#bytes, this.#length, this.#ascii);
  }

  /** Returns the bytes that no sink has taken, as a view of memory that is reused. */
  peek(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes one ASCII character. */
  byte(code: number): void {
    if (this.#length === this.#bytes.length) this.#makeRoom(1);
    this.#bytes[this.#length++] = code;
  }

  /** Writes short ASCII text: a literal or a number. */
  literal(text: string): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
    this.#length = at;
  }

  /** Writes a finite number as ECMAScript does, which RFC 8785 §3.2.2.3 adopts; `-0` becomes `0`. */
  number(value: number): void {
    if (!isSmallInteger(value)) {
      this.literal(String(value));
      return;
    }
    this.#reserve(INTEGER_ROOM);
    this.#length = writeInteger(this.#bytes, this.#length, value);
  }

  /** Writes the comma that is due, a key and its colon. Returns `false` as {@link string} does. */
  key(text: string, first: boolean, strict: boolean): boolean {
    if (!first) this.byte(COMMA);
    const done = this.string(text, strict);
    this.byte(COLON);
    return done;
  }

  /** Like {@link key}, with a key that was encoded before. */
  cachedKey(keys: EncodedKeys, index: number, first: boolean): void {
    this.#reserve(CACHED_KEY_ROOM);
    if (!first) this.#bytes[this.#length++] = COMMA;
    this.#length = writeCachedKey(this.#view, this.#length, keys, index);
  }

  /**
   * Writes a JSON string, escaped as RFC 8785 §3.2.2.2 and `JSON.stringify` do. If the text has a lone surrogate and
   * `strict` forbids it, returns `false` and leaves the buffer in an unusable state; otherwise the surrogate is
   * escaped.
   */
  string(text: string, strict: boolean): boolean {
    if (text.length > MAX_PIECE_LENGTH) return this.#escapedString(text, strict);
    this.#reserve(text.length * MAX_BYTES_PER_UNIT + 2);
    const start = this.#length;
    const end = encodeString(this.#bytes, this.#words, start + 1, text);
    if (end === -1) return this.#escapedString(text, strict);
    if (end - start > text.length + 1) this.#ascii = false;
    this.#bytes[start] = QUOTE;
    this.#bytes[end] = QUOTE;
    this.#length = end + 1;
    return true;
  }

  /**
   * Writes a string with the escapes of `JSON.stringify`, which ignores `toJSON` on a polluted prototype if the value
   * is a primitive.
   */
  #escapedString(text: string, strict: boolean): boolean {
    if (strict && !text.isWellFormed()) return false;
    if (text.length <= MAX_PIECE_LENGTH) {
      this.json(JSON.stringify(text));
      return true;
    }
    this.byte(QUOTE);
    for (const piece of pieces(text)) this.json(JSON.stringify(piece).slice(1, -1));
    this.byte(QUOTE);
    return true;
  }

  /** Writes text that is already JSON. */
  json(text: string): void {
    this.#reserve(text.length * MAX_BYTES_PER_UNIT);
    const written = writeUtf8(this.#bytes, text, this.#length);
    if (written > text.length) this.#ascii = false;
    this.#length += written;
  }

  #reserve(room: number): void {
    if (this.#length + room > this.#bytes.length) this.#makeRoom(room);
  }

  #makeRoom(room: number): void {
    if (this.#sink !== undefined) {
      this.#sink.update(this.peek());
      this.#length = 0;
      if (room <= this.#bytes.length) return;
    }
    // A multiple of four, so that the words cover the bytes.
    const grown = allocate(Math.max(this.#bytes.length * 2, (this.#length + room + 3) & ~3));
    grown.set(this.peek());
    this.#use(grown);
  }

  #use(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#words = new Int32Array(bytes.buffer);
    this.#view = new DataView(bytes.buffer);
  }
}
