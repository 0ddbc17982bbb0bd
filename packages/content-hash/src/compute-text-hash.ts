import type { NormalizationLevel } from "./levels.ts";
import { createTextHasher, invalidContent } from "./text-hasher.ts";

/**
 * Returns the SHA-256 of a text normalized at a level, as 64 lowercase hex digits. At level `lagovista`, `null` stands
 * for the empty text.
 *
 * Specification: 2.2 "Guarantees".
 *
 * @throws {@link ContentHashError} `MALFORMED_TEXT` when the text has a lone surrogate, `INVALID_CONTENT` when it is
 * not a string, `UNKNOWN_LEVEL` when the level does not exist.
 *
 * @example
 * ```ts
 * import { computeTextHash } from "@agentprint/content-hash";
 *
 * const tabs = "if (x) {\r\n\treturn;\r\n}\r\n";
 * const spaces = "if (x) {\n    return;\n}";
 * console.log(computeTextHash(tabs) === computeTextHash(spaces)); // true
 * console.log(computeTextHash(tabs, "eol") === computeTextHash(spaces, "eol")); // false
 * ```
 */
export function computeTextHash(text: string, level?: NormalizationLevel): string;
export function computeTextHash(text: string | null, level: "lagovista"): string;
export function computeTextHash(text: string | null, level: NormalizationLevel = "whitespace"): string {
  const hasher = createTextHasher(level);
  const content = level === "lagovista" ? (text ?? "") : text;
  if (typeof content !== "string") throw invalidContent(content);
  hasher.update(content);
  return hasher.digest();
}
