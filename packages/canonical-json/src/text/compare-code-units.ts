/**
 * Compares two strings by their UTF-16 code units, the order of RFC 8785 §3.2.3. For `Array.prototype.sort`.
 *
 * @returns A negative number, zero or a positive number.
 * @example
 * ```ts
 * import { compareCodeUnits } from "@agentprint/canonical-json/text";
 *
 * console.log(["maximum", "maxItems"].sort(compareCodeUnits)); // [ 'maxItems', 'maximum' ]
 * ```
 */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
