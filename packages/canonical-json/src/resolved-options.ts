import { keysOfFew } from "./key-order.ts";

/** The options of a text with their defaults, checked, and the function that puts keys in their order. */
export interface ResolvedOptions {
  readonly strict: boolean;
  readonly keyOrder: "code-unit" | "locale";
  readonly sortedKeys: typeof keysOfFew;
  readonly maxDepth: number;
}

export const DEFAULT_MAX_DEPTH = 1_000_000;

/** RFC 8785 of values whose objects have few members. */
export const PLAIN: ResolvedOptions = {
  strict: true,
  keyOrder: "code-unit",
  sortedKeys: keysOfFew,
  maxDepth: DEFAULT_MAX_DEPTH,
};
