import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Sha256Stream } from "./sha256-node.ts";

export type { Sha256Stream };

const encoder = new TextEncoder();

/** SHA-256 of bytes, or of the UTF-8 bytes of a text, as 64 lowercase hex digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return bytesToHex(sha256(typeof data === "string" ? encoder.encode(data) : data));
}

export function createSha256(): Sha256Stream {
  return wrap(sha256.create());
}

function wrap(hash: ReturnType<typeof sha256.create>): Sha256Stream {
  return {
    update: (data) => void hash.update(data),
    copy: () => wrap(hash.clone()),
    hex: () => bytesToHex(hash.digest()),
  };
}
