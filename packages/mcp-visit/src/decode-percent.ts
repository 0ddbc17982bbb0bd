/**
 * Returns a part of a URL without its percent-encoding, or the unchanged part if the encoding is invalid.
 *
 * @example
 * ```ts
 * import { decodePercent } from "@agentprint/mcp-visit/secrets";
 *
 * console.log(decodePercent("my%20files"), decodePercent("100%")); // my files 100%
 * ```
 */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
