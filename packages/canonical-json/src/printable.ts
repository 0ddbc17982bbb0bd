import { slicePairs } from "./slice-pairs.ts";

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * A text that is safe to show: control, format (bidirectional, zero-width, tag), line-separating and lone surrogate
 * characters become `\u{…}`, and what lies beyond `maxLength` UTF-16 units becomes `…`. No surrogate pair is torn.
 *
 * @example
 * ```ts
 * import { printable } from "@agentprint/canonical-json";
 *
 * console.log(printable("a\u202eb")); // a\\u{202e}b
 * ```
 */
export function printable(text: string, maxLength = 200): string {
  const shown = text.length > maxLength ? `${slicePairs(text, 0, maxLength)}…` : text;
  return shown.replace(INVISIBLE, (character) => `\\u{${Number(character.codePointAt(0)).toString(16)}}`);
}
