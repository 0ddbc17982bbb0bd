import { Buffer, isUtf8 as nativeIsUtf8 } from "node:buffer";

/** Returns whether bytes are well-formed UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  return nativeIsUtf8(bytes);
}

/** Returns the index of the first `byte` at or after `from`, or -1. */
export function indexOfByte(bytes: Uint8Array, byte: number, from = 0): number {
  // Buffer's search is 20 times as fast as Uint8Array's.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(byte, from);
}
