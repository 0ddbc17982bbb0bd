import { sortMany } from "./accelerators/radix-sort.ts";
import { type SortedKeys, sortRemembered } from "./accelerators/remembered-keys.ts";

const MAX_ARRAY_LENGTH = 0xffffffff;

let collator: Intl.Collator | undefined;

/**
 * Compares two strings in the `en` collation. The language is fixed, because digests must not depend on the host's
 * language. The collator is created at the first call, because its data takes 7 MB.
 */
export function compareByLocale(a: string, b: string): number {
  collator ??= new Intl.Collator("en");
  return collator.compare(a, b);
}

/**
 * Returns the own enumerable string keys of an object, ordered by UTF-16 code units. The list may be shared with later
 * calls, so do not change it.
 */
function keysOfFew(node: object): SortedKeys {
  const keys = Object.keys(node);
  return sortRemembered(keys) ?? { keys: keys.sort(), encoded: undefined };
}

/** Does the same, but faster for objects with hundreds of keys. */
export function keysByCodeUnit(node: object): SortedKeys {
  const keys = Object.keys(node);
  return sortRemembered(keys) ?? { keys: sortMany(keys) ?? keys.sort(), encoded: undefined };
}

/**
 * Returns the keys in another order: array indexes first and ascending, as in the result of `Object.fromEntries`, and
 * then the others by the collation. Keys that the collation ranks as equal keep their order.
 */
export function keysByLocale(node: object): SortedKeys {
  const keys = Object.keys(node).sort((a, b) => arrayIndex(a) - arrayIndex(b) || compareByLocale(a, b));
  return { keys, encoded: undefined };
}

/** Returns the array index that a key represents, or for any other key a number above all array indexes. */
function arrayIndex(key: string): number {
  const index = Number(key) >>> 0;
  return String(index) === key ? index : MAX_ARRAY_LENGTH;
}

/** The checked options for a text, with their defaults, and the function that puts keys in order. */
export interface ResolvedOptions {
  readonly strict: boolean;
  readonly keyOrder: "code-unit" | "locale";
  readonly sortedKeys: typeof keysOfFew;
  readonly maxDepth: number;
}

export const DEFAULT_MAX_DEPTH = 1_000_000;

/** Options for RFC 8785, for values whose objects have few members. */
export const PLAIN: ResolvedOptions = {
  strict: true,
  keyOrder: "code-unit",
  sortedKeys: keysOfFew,
  maxDepth: DEFAULT_MAX_DEPTH,
};
