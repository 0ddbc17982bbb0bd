/** Returns whether bytes are well-formed UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Returns the index of the first `byte` at or after `from`, or -1. */
export function indexOfByte(bytes: Uint8Array, byte: number, from = 0): number {
  return bytes.indexOf(byte, from);
}
