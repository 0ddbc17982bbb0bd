const SHA256_HEX = /^[0-9a-f]{64}$/;

/**
 * Whether a value is the text of a SHA-256 digest: 64 lowercase hex digits.
 *
 * @example
 * ```ts
 * import { isSha256Hex } from "@agentprint/canonical-json/text";
 *
 * console.log(isSha256Hex("0".repeat(64)), isSha256Hex("A".repeat(64))); // true false
 * ```
 */
export function isSha256Hex(value: unknown): value is string {
  return typeof value === "string" && SHA256_HEX.test(value);
}
