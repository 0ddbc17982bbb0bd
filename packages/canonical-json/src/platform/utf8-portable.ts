const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
const latin1Decoder = /* @__PURE__ */ new TextDecoder("latin1");
const strictDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

/** Returns zeroed memory. */
export function allocate(size: number): Uint8Array {
  return new Uint8Array(size);
}

/**
 * Writes the UTF-8 of `text` at `at` and returns the number of bytes written. The caller has reserved three bytes per
 * unit.
 */
export function writeUtf8(target: Uint8Array, text: string, at: number): number {
  return encoder.encodeInto(text, target.subarray(at)).written;
}

/** Returns the text of the first `end` bytes. */
export function readUtf8(source: Uint8Array, end: number, _ascii: boolean): string {
  return decoder.decode(source.subarray(0, end));
}

/** Returns whether bytes are well-formed UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictDecoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Returns the UTF-8 of a well-formed string. */
export function toUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Returns the text of well-formed UTF-8. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Returns a string with one character per byte; only the ASCII characters are correct. */
export function fromLatin1(bytes: Uint8Array): string {
  return latin1Decoder.decode(bytes);
}
