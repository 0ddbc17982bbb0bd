import { sha256Hex } from "#platform";

/**
 * Returns the SHA-256 of a string's UTF-8 bytes as 64 lowercase hex digits: `sha256Hex` for an argument that is known
 * to be a string.
 *
 * @example
 * ```ts
 * import { sha256Hex } from "@agentprint/canonical-json";
 * import { hashText } from "@agentprint/canonical-json/text";
 *
 * console.log(hashText("a") === sha256Hex("a")); // true
 * ```
 */
export function hashText(text: string): string {
  return sha256Hex(text);
}
