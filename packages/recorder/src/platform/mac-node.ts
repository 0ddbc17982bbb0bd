import { createHmac, createSecretKey } from "node:crypto";

/** HMAC-SHA-256 of the UTF-8 bytes of a message, as 64 lowercase hex digits. */
export function macWith(secret: Uint8Array): (message: string) => string {
  // As a key object, because the conversion of raw bytes takes several times as long as the MAC.
  const key = createSecretKey(secret);
  return (message) => createHmac("sha256", key).update(message, "utf8").digest("hex");
}
