import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Returns a function that computes the HMAC-SHA-256 of a message's UTF-8 bytes, as 64 lowercase hex digits. */
export function macWith(secret: Uint8Array): (message: string) => string {
  const key = Uint8Array.from(secret);
  return (message) => bytesToHex(hmac(sha256, key, utf8ToBytes(message)));
}
