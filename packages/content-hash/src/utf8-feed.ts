import { isUtf8 } from "#bytes";
import { ContentHashError } from "./errors.ts";
import type { NormalizationLevel } from "./levels.ts";

/** The number of UTF-16 code units that are encoded at a time; their UTF-8 fits into the second-level cache. */
const UNITS_AT_A_TIME = 16 * 1024;
const REPLACEMENT = "\ufffd";
const NONE = new Uint8Array(0);

/**
 * Turns pieces of text and bytes, which may be split anywhere, into well-formed UTF-8 that is split only between
 * characters. At level `bytes`, any bytes are valid; at level `lagovista`, a lone surrogate becomes U+FFFD.
 */
export class Utf8Feed {
  readonly #push: (bytes: Uint8Array) => void;
  readonly #level: NormalizationLevel;
  #buffer: Uint8Array = NONE;
  /** A high surrogate at the end of the last piece. The next piece may begin with its other half. */
  #half = "";
  /** The first bytes of a character at the end of the last piece. The next piece may begin with its other bytes. */
  #open: Uint8Array = NONE;
  /** The number of UTF-16 units or bytes before the current piece. */
  #offset = 0;

  constructor(push: (bytes: Uint8Array) => void, level: NormalizationLevel) {
    this.#push = push;
    this.#level = level;
  }

  takeText(piece: string): void {
    if (piece === "") return;
    if (this.#open.length > 0) throw malformedUtf8(this.#offset);
    let text = this.#half + piece;
    this.#half = "";
    if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
      this.#half = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (this.#level !== "lagovista" && !text.isWellFormed()) throw loneSurrogate(text, this.#offset);
    this.#encode(text);
    this.#offset += text.length;
  }

  takeBytes(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#endText();
    if (this.#level === "bytes") {
      this.#offset += piece.length;
      this.#push(piece);
      return;
    }
    if (this.#open.length === 0) {
      this.#takeCharacters(piece);
      return;
    }
    // A character that spans two pieces is processed separately, so that no piece needs to be copied.
    const missing = characterLength(this.#open[0]!) - this.#open.length;
    this.#takeCharacters(concat(this.#open, piece.subarray(0, missing)));
    if (piece.length > missing) this.#takeCharacters(piece.subarray(missing));
  }

  #takeCharacters(bytes: Uint8Array): void {
    const complete = bytes.length - openLength(bytes);
    const whole = complete === bytes.length ? bytes : bytes.subarray(0, complete);
    if (!isUtf8(whole)) throw malformedUtf8(this.#offset + validLength(whole));
    this.#open = complete === bytes.length ? NONE : bytes.slice(complete);
    this.#offset += complete;
    this.#push(whole);
  }

  end(): void {
    if (this.#open.length > 0) throw malformedUtf8(this.#offset);
    this.#endText();
  }

  /** Ends the text before bytes, or at the end of the content; neither can complete a surrogate pair. */
  #endText(): void {
    if (this.#half === "") return;
    if (this.#level !== "lagovista") throw loneSurrogate(this.#half, this.#offset);
    this.#encode(REPLACEMENT);
    this.#offset += this.#half.length;
    this.#half = "";
  }

  #encode(text: string): void {
    const needed = Math.min(text.length, UNITS_AT_A_TIME) * 3;
    if (this.#buffer.length < needed) this.#buffer = new Uint8Array(needed);
    const encoder = new TextEncoder();
    for (let start = 0; start < text.length; ) {
      let end = start + UNITS_AT_A_TIME;
      if (isHighSurrogate(text.charCodeAt(end - 1))) end--;
      const { written } = encoder.encodeInto(text.slice(start, end), this.#buffer);
      this.#push(this.#buffer.subarray(0, written));
      start = end;
    }
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Returns the number of bytes of a character, determined by its lead byte. */
function characterLength(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

/** Returns the number of bytes at the end that begin a character without completing it. */
function openLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < characterLength(byte) ? back : 0;
  }
  return 0;
}

/** Returns the number of bytes before the first ill-formed sequence. */
function validLength(bytes: Uint8Array): number {
  let valid = 0;
  for (let step = bytes.length >> 1; step >= 16; step >>= 1) {
    const block = bytes.subarray(valid, valid + step);
    const whole = block.length - openLength(block);
    if (isUtf8(block.subarray(0, whole))) valid += whole;
  }
  for (let size = 1; size <= 4; size++) {
    if (!isUtf8(bytes.subarray(valid, valid + size))) continue;
    valid += size;
    size = 0;
  }
  return valid;
}

function malformedUtf8(offset: number): ContentHashError {
  return new ContentHashError("MALFORMED_TEXT", `content is not UTF-8: malformed at byte ${offset}`, { offset });
}

function loneSurrogate(text: string, before: number): ContentHashError {
  const index = text.search(/\p{Surrogate}/u);
  const unit = text.charCodeAt(index).toString(16).toUpperCase();
  const offset = before + index;
  const message = `text is not well-formed: lone surrogate U+${unit} at UTF-16 unit ${offset}`;
  return new ContentHashError("MALFORMED_TEXT", message, { offset });
}
