import { invalidOption } from "./option-checks.ts";
import { type SortedKeys, sortFew } from "./sort-few.ts";
import { sortMany } from "./sort-many.ts";
import { compareCodeUnits } from "./text/compare-code-units.ts";

/** How object keys are ordered; see {@link CanonicalizeOptions.keyOrder}. */
export type KeyOrder = "code-unit" | "locale";

let collator: Intl.Collator | undefined;

/** Pinned: the host's locale must never decide a digest. Made when first needed: its data takes 7 MB. */
function collate(a: string, b: string): number {
  collator ??= new Intl.Collator("en");
  return collator.compare(a, b);
}

/**
 * Compares two texts in a key order: UTF-16 code units (RFC 8785 §3.2.3), or the `en` collation of digests minted with
 * `localeCompare`. For `Array.prototype.sort`.
 *
 * @param order - `"code-unit"` or `"locale"`.
 * @returns A comparator: negative, zero or positive.
 * @throws {CanonicalJsonError} `invalid-option` for any other order.
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
  return order === "locale" ? collate : compareCodeUnits;
}

export function checkKeyOrder(order: KeyOrder): void {
  if (order !== "code-unit" && order !== "locale") throw invalidOption("keyOrder", '"code-unit" or "locale"', order);
}

/** The own enumerable string keys of an object in a key order. The result is shared: read it, never change it. */
export function sortedKeys(node: object, order: KeyOrder): SortedKeys {
  const keys = Object.keys(node);
  if (order === "locale") return { keys: sortByLocale(keys), encoded: undefined };
  return keys.length > FEW ? { keys: sortMany(keys), encoded: undefined } : sortFew(keys);
}

/** Objects with more keys are rarely of one shape: their order is not remembered. */
const FEW = 32;

/** Array indexes first and ascending, as `Object.fromEntries` leaves them; then the collation, stable for equals. */
function sortByLocale(keys: string[]): string[] {
  return keys.sort((a, b) => {
    const [indexA, indexB] = [arrayIndex(a), arrayIndex(b)];
    if (indexA >= 0 && indexB >= 0) return indexA - indexB;
    if (indexA >= 0 || indexB >= 0) return indexA >= 0 ? -1 : 1;
    return collate(a, b);
  });
}

function arrayIndex(key: string): number {
  const index = Number(key) >>> 0;
  return String(index) === key && index !== 0xffffffff ? index : -1;
}
