import { compareByLocale } from "./key-order.ts";
import { checkKeyOrder, type KeyOrder } from "./options.ts";
import { compareCodeUnits } from "./text/compare-code-units.ts";

/**
 * Returns a function for `Array.prototype.sort` that compares two strings in a key order: by UTF-16 code units (RFC
 * 8785 §3.2.3), or in the `en` collation of digests made with `localeCompare`.
 *
 * @param order - `"code-unit"` or `"locale"`.
 * @returns A comparator: negative, zero or positive.
 * @throws {@link CanonicalJsonError} `invalid-option` if the order is any other value.
 * @example
 * ```ts
 * import { keyComparator } from "@agentprint/canonical-json";
 *
 * ["maximum", "maxItems"].sort(keyComparator("code-unit")); // ["maxItems", "maximum"]
 * ["maximum", "maxItems"].sort(keyComparator("locale")); // ["maximum", "maxItems"]
 * ```
 */
export function keyComparator(order: KeyOrder): (a: string, b: string) => number {
  checkKeyOrder(order);
  return order === "locale" ? compareByLocale : compareCodeUnits;
}
