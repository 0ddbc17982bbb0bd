import { _SHA256 } from "@noble/hashes/sha2.js";
import type { Sha256Stream } from "./sha256-node.ts";

export type { Sha256Stream };

const encoder = new TextEncoder();

/** Returns the SHA-256 of bytes, or of a string's UTF-8 bytes, as 64 lowercase hex digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return hexOf(new _SHA256().update(typeof data === "string" ? encoder.encode(data) : data));
}

function hexOf(hash: _SHA256): string {
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function createSha256(): Sha256Stream {
  return wrap(new _SHA256());
}

/**
 * Wraps the class itself, because the library's `sha256`, which creates it, also includes code that reads options and
 * algorithm names.
 */
function wrap(hash: _SHA256): Sha256Stream {
  return {
    update: (data) => void hash.update(data),
    copy: () => wrap(hash.clone()),
    hex: () => hexOf(hash),
  };
}
