import { checkArgument } from "../check-argument.ts";
/**
 * Returns a short form of a digest, for tables: its first 8 and last 4 characters. A text of at most 16 characters is
 * unchanged.
 *
 * @param hash - Hex digits.
 * @returns Text for people. Two digests can have the same short form, so compare the digests themselves.
 * @example
 * ```ts
 * import { formatHashShort } from "@agentprint/agent-capabilities";
 *
 * formatHashShort("d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772"); // "d3626ac3…a772"
 * ```
 */
export function formatHashShort(hash: string): string {
  checkArgument("hash", hash, "string");
  return hash.length <= 16 ? hash : `${hash.slice(0, 8)}…${hash.slice(-4)}`;
}
