const DIGITS = 64;

/**
 * Returns whether a value is a SHA-256 digest as a string of 64 lowercase hex digits.
 *
 * @example
 * ```ts
 * import { isSha256Hex } from "@agentprint/canonical-json/text";
 *
 * console.log(isSha256Hex("0".repeat(64)), isSha256Hex("A".repeat(64))); // true false
 * ```
 */
export function isSha256Hex(value: unknown): value is string {
  if (typeof value !== "string" || value.length !== DIGITS) return false;
  let signs = 0;
  for (let index = 0; index < DIGITS; index++) {
    const unit = value.charCodeAt(index);
    // Negative if the unit is neither from 0 to 9 nor from a to f. It has no branch, because the next digit is
    // unpredictable.
    signs |= ((unit - 0x30) | (0x39 - unit)) & ((unit - 0x61) | (0x66 - unit));
  }
  return signs >= 0;
}
