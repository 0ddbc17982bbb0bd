const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Zeroed memory. */
export function allocate(size: number): Uint8Array {
  return new Uint8Array(size);
}

/** Writes the UTF-8 of `text` at `at`; returns the bytes written. The caller has reserved three bytes a unit. */
export function writeUtf8(target: Uint8Array, text: string, at: number): number {
  return encoder.encodeInto(text, target.subarray(at)).written;
}

/** The text of the first `end` bytes. */
export function readUtf8(source: Uint8Array, end: number, _ascii: boolean): string {
  return decoder.decode(source.subarray(0, end));
}
