import { typeName } from "@agentprint/canonical-json/json-value";
import { ContentHashError } from "./errors.ts";

/**
 * The differences that a hash ignores, by level: `bytes` nothing · `eol` how lines end, and a U+FEFF at the start ·
 * `trailing` also white space at the end of lines and line breaks at the end of the text · `whitespace` the amount of
 * white space · `lagovista` how lines end, and everything after 500 UTF-16 units of a line.
 */
export type NormalizationLevel = "bytes" | "eol" | "trailing" | "whitespace" | "lagovista";

/**
 * Every level.
 *
 * @example
 * ```ts
 * import { NORMALIZATION_LEVELS } from "@agentprint/content-hash";
 *
 * console.log(NORMALIZATION_LEVELS.includes("whitespace")); // true
 * ```
 */
export const NORMALIZATION_LEVELS: readonly NormalizationLevel[] = Object.freeze([
  "bytes",
  "eol",
  "trailing",
  "whitespace",
  "lagovista",
]);

export function checkLevel(level: NormalizationLevel): void {
  if (NORMALIZATION_LEVELS.includes(level)) return;
  const known = NORMALIZATION_LEVELS.join(", ");
  const received = typeof level === "string" ? level : typeName(level);
  throw new ContentHashError("UNKNOWN_LEVEL", `level must be one of ${known}; received ${received}`);
}
