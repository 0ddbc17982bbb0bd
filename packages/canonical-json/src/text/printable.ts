import { escapeText } from "./escape-text.ts";
import { sliceWithoutSplittingSurrogates } from "./slice-without-splitting-surrogates.ts";

/**
 * Returns text that is safe to show in a message: it is escaped as by {@link escapeText}, and everything beyond
 * `maxLength` UTF-16 units becomes `…`. No surrogate pair is split.
 *
 * @example
 * ```ts
 * import { printable } from "@agentprint/canonical-json";
 *
 * console.log(printable("a\u202eb")); // a\u{202e}b
 * ```
 */
export function printable(text: string, maxLength = 200): string {
  return escapeText(text.length > maxLength ? `${sliceWithoutSplittingSurrogates(text, 0, maxLength)}…` : text);
}
