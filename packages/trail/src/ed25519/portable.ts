import { ed25519 } from "@noble/curves/ed25519.js";
import { checkArgument } from "../check-argument.ts";

/** Returns the 32-byte public key of a 32-byte seed (RFC 8032 §5.1.5). */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  checkArgument("seed", seed, "bytes");
  return ed25519.getPublicKey(seed);
}

/** Returns the 64-byte signature of `message`. */
export function sign(message: Uint8Array, seed: Uint8Array): Uint8Array {
  checkArgument("message", message, "bytes");
  checkArgument("seed", seed, "bytes");
  return ed25519.sign(message, seed);
}

/** Returns whether 64 bytes are the signature of `message` by a 32-byte public key. */
export function verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  checkArgument("signature", signature, "bytes");
  checkArgument("message", message, "bytes");
  checkArgument("publicKey", publicKey, "bytes");
  // This follows RFC 8032, as node:crypto does, and not the laxer ZIP 215.
  return ed25519.verify(signature, message, publicKey, { zip215: false });
}
