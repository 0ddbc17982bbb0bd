import { CanonicalJsonError, type CanonicalJsonErrorCode, type TextPosition } from "../errors.ts";
import type { ParseLimits } from "./limits.ts";
import { parseStepwise } from "./parse-stepwise.ts";
import { TEXT_START, textPosition } from "./text-position.ts";
import { wellFormedLength } from "./well-formed-utf8.ts";

const BYTE_ORDER_MARK = 0xfeff;
const HIGHEST_ASCII = 0x7f;

let decoder: InstanceType<typeof TextDecoder> | undefined;

function decode(bytes: Uint8Array): string {
  decoder ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return decoder.decode(bytes);
}

/**
 * Checks the input's size, the encoding of bytes and that no byte order mark is at the start, and returns the text.
 */
export function decodeText(input: string | Uint8Array, limits: ParseLimits): string {
  // `instanceof` would refuse bytes from another realm.
  if (typeof input !== "string" && Object.prototype.toString.call(input) !== "[object Uint8Array]") {
    throw new CanonicalJsonError("invalid-option", "", "Expected JSON text as a string or Uint8Array");
  }
  if (exceeds(input, limits.maxBytes)) throw tooLarge(limits.maxBytes);
  const text = typeof input === "string" ? input : decodeUtf8(input, limits);
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) throw byteOrderMark();
  return text;
}

/** Returns whether the input takes more bytes of UTF-8 than allowed. A UTF-16 code unit takes one to three bytes. */
function exceeds(input: string | Uint8Array, maxBytes: number): boolean {
  if (typeof input !== "string") return input.byteLength > maxBytes;
  let bytes = input.length;
  if (bytes * 3 <= maxBytes) return false;
  for (let i = 0; i < input.length && bytes <= maxBytes; i++) {
    const unit = input.charCodeAt(i);
    // The two units of a surrogate pair take two bytes each.
    if (unit > HIGHEST_ASCII) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes > maxBytes;
}

function decodeUtf8(bytes: Uint8Array, limits: ParseLimits): string {
  try {
    return decode(bytes);
  } catch {
    const offset = wellFormedLength(bytes);
    const before = decode(bytes.subarray(0, offset));
    throw invalidUtf8(bytes[offset], pathAtEnd(before, limits), { ...textPosition(before, before.length), offset });
  }
}

/** Returns the path of the value that a parser is reading where the text ends. */
function pathAtEnd(text: string, limits: ParseLimits): string {
  try {
    parseStepwise(text, limits);
    return "";
  } catch (error) {
    return error instanceof CanonicalJsonError ? error.path : "";
  }
}

export function tooLarge(maxBytes: number): CanonicalJsonError {
  return atStart("too-large", `Expected at most ${maxBytes} bytes of UTF-8, received more`);
}

export function byteOrderMark(): CanonicalJsonError {
  return atStart("bom", "Expected JSON without a byte order mark, received U+FEFF");
}

/** @param path The path of the value that is being read before the byte. */
export function invalidUtf8(byte: number | undefined, path: string, position: TextPosition): CanonicalJsonError {
  return new CanonicalJsonError("invalid-utf8", path, `Expected UTF-8, received byte 0x${byte?.toString(16)}`, {
    position,
  });
}

function atStart(code: CanonicalJsonErrorCode, message: string): CanonicalJsonError {
  return new CanonicalJsonError(code, "", message, { position: TEXT_START });
}
