let invisible: RegExp | undefined;

/**
 * Returns a regular expression for the characters that a reader cannot see, or that change what a reader sees around
 * them: controls, format and bidirectional controls, everything that Unicode ignores by default (fillers, joiners,
 * variation selectors, tags, and the code points reserved for more of them), lone surrogates, private use,
 * noncharacters, every space that is not U+0020, and letters and symbols that are drawn blank (U+2800, U+FFFC,
 * U+13441–13442, U+16FE4, U+1D159).
 *
 * Classes that Unicode never changes are named, and the others are listed as of Unicode 17, because the text of a lock
 * file must be the same in every version of Node. The expression is compiled on first use, because compiling loads the
 * engine's Unicode data; a literal would load it on import.
 */
export function invisibleExpression(): RegExp {
  const classes =
    "[\\p{Cc}\\p{Cs}\\p{Co}\\p{NChar}\u00a0\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{13441}\u{13442}\u{16fe4}\u{1bca0}-\u{1bca3}\u{1d159}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]";
  invisible ??= new RegExp(classes, "gu");
  return invisible;
}

/** A character that a reader cannot see, and its place. */
export interface InvisibleCharacter {
  readonly character: string;
  /** Index of its first UTF-16 code unit in the text. */
  readonly index: number;
}

/**
 * Yields, in order, the characters in a text that {@link escapeText} escapes, including line breaks, tabs and every
 * space except U+0020.
 *
 * @example
 * ```ts
 * import { invisibleCharacters } from "@agentprint/canonical-json/text";
 *
 * console.log([...invisibleCharacters("a\u200bb")].map(({ index }) => index)); // [ 1 ]
 * ```
 */
export function* invisibleCharacters(text: string): Generator<InvisibleCharacter> {
  for (const { 0: character, index } of text.matchAll(invisibleExpression())) yield { character, index };
}
