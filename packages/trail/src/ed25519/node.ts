import * as crypto from "node:crypto";
import { checkArgument } from "../check-argument.ts";

const PKCS8_PREFIX = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32);
const SPKI_PREFIX = Uint8Array.of(48, 42, 48, 5, 6, 3, 43, 101, 112, 3, 33, 0);

/** Returns the 32-byte public key of a 32-byte seed (RFC 8032 §5.1.5). */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  checkArgument("seed", seed, "bytes");
  const der = crypto.createPublicKey(privateKey(seed)).export({ format: "der", type: "spki" });
  return new Uint8Array(der.subarray(SPKI_PREFIX.length));
}

/** Returns the 64-byte signature of `message`. */
export function sign(message: Uint8Array, seed: Uint8Array): Uint8Array {
  checkArgument("message", message, "bytes");
  checkArgument("seed", seed, "bytes");
  return new Uint8Array(crypto.sign(null, message, privateKey(seed)));
}

/** Returns whether 64 bytes are the signature of `message` by a 32-byte public key. */
export function verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  checkArgument("signature", signature, "bytes");
  checkArgument("message", message, "bytes");
  checkArgument("publicKey", publicKey, "bytes");
  const key = crypto.createPublicKey({ key: concat(SPKI_PREFIX, publicKey), format: "der", type: "spki" });
  return crypto.verify(null, message, key, signature);
}

function privateKey(seed: Uint8Array): crypto.KeyObject {
  return crypto.createPrivateKey({ key: concat(PKCS8_PREFIX, seed), format: "der", type: "pkcs8" });
}

function concat(prefix: Uint8Array, rest: Uint8Array): Buffer {
  return Buffer.concat([prefix, rest]);
}
