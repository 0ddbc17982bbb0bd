import { sortMany } from "./sort-many.ts";

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
 * @example
 * ```ts
 * import { keyComparator } from "@agentprint/canonical-json";
 *
 * ["maximum", "maxItems"].sort(keyComparator("code-unit")); // ["maxItems", "maximum"]
 * ["maximum", "maxItems"].sort(keyComparator("locale")); // ["maximum", "maxItems"]
 * ```
 */
export function keyComparator(order: KeyOrder): (a: string, b: string) => number {
  return order === "locale" ? collate : compareCodeUnits;
}

function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The own enumerable string keys of an object in a key order. The result is shared: read it, never change it. */
export function sortedKeys(node: object, order: KeyOrder): readonly string[] {
  const keys = Object.keys(node);
  if (order === "locale") return sortByLocale(keys);
  return keys.length > FEW ? sortMany(keys) : sortFew(keys);
}

/** Objects with more keys are rarely of one shape; they are sorted natively and not remembered. */
const FEW = 32;
const SLOTS = 256;
const LONGEST_REMEMBERED = 64;

/** Key lists seen last and their order, by a cheap slot number: bounded, so random keys cost a miss and no memory. */
const seen: (readonly string[])[] = new Array(SLOTS).fill([]);
const order: (readonly string[])[] = new Array(SLOTS).fill([]);

function sortFew(keys: readonly string[]): readonly string[] {
  const { length } = keys;
  if (length < 2) return keys;
  const first = keys[0] as string;
  const last = keys[length - 1] as string;
  const slot =
    (length * 29 + first.length * 7 + last.length + (first.charCodeAt(0) ^ (last.charCodeAt(0) << 3))) & (SLOTS - 1);
  const candidate = seen[slot] as readonly string[];
  if (candidate.length === length) {
    let i = 0;
    while (i < length && candidate[i] === keys[i]) i++;
    if (i === length) return order[slot] as readonly string[];
  }
  const sorted = insertionSort(keys.slice());
  if (keys.every((key) => key.length <= LONGEST_REMEMBERED)) {
    seen[slot] = keys;
    order[slot] = sorted;
  }
  return sorted;
}

function insertionSort(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] as string;
    let at = i;
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}

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
