import { createSha256 } from "@agentprint/canonical-json";

const KEY_ID_DIGITS = 8;
const encoder = new TextEncoder();

/**
 * Returns the id of a key, as 8 lowercase hex digits. The key's purpose is hashed before the key, so that the id
 * differs from any other digest of the key.
 */
export function keyIdOf(purpose: "content" | "event", key: Uint8Array): string {
  const digest = createSha256();
  digest.update(encoder.encode(`agentprint ${purpose} key\n`));
  digest.update(key);
  return digest.hex().slice(0, KEY_ID_DIGITS);
}
