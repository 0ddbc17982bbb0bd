import { isSha256Hex } from "@agentprint/canonical-json";
import { quote, TrailError } from "./errors.ts";

/** Writes the bytes of an even number of hex digits into `target`, from `offset` on. */
export function writeHex(hex: string, target: Uint8Array, offset: number): void {
  for (let i = 0; i < hex.length; i += 2) target[offset + i / 2] = (digit(hex, i) << 4) | digit(hex, i + 1);
}

/** Returns the number that `length` hex digits from `offset` on represent; `length` is at most eight. */
export function hexNumber(hex: string, offset: number, length: number): number {
  let number = 0;
  for (let i = offset; i < offset + length; i++) number = (number << 4) | digit(hex, i);
  return number >>> 0;
}

/** @throws {@link TrailError} `invalid-hash` when `hash` is not 64 lowercase hex digits. */
export function checkHash(hash: unknown): asserts hash is string {
  if (isSha256Hex(hash)) return;
  const received = typeof hash === "string" ? quote(hash) : typeof hash;
  throw new TrailError("invalid-hash", `expected 64 lowercase hex digits, received ${received}`);
}

/** @throws {@link TrailError} `invalid-hash` when `hash` is not 64 lowercase hex digits. */
export function hashToBytes(hash: string): Uint8Array {
  checkHash(hash);
  return hexToBytes(hash);
}

export function hexToBytes(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  writeHex(hex, bytes, 0);
  return bytes;
}

export function bytesToHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return hex;
}

/** Returns the value of one hex digit: the low four bits, plus 9 for letters, which alone have bit 6. */
function digit(hex: string, index: number): number {
  const unit = hex.charCodeAt(index);
  return (unit & 15) + (unit >> 6) * 9;
}
