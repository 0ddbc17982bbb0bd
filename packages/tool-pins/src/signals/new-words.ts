import { piecesOf } from "./pieces-of.ts";
import { unicodeExpression } from "./unicode-expression.ts";

/** Letters of scripts that are written without spaces between words, and words of other scripts. */
const WORDS = unicodeExpression(
  "[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]|(?:(?![\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}])[\\p{L}\\p{M}\\p{N}])+",
  "gu",
);

/**
 * Returns the share of a text's words that were not in the old text, from 0 to 1; in scripts without spaces, each
 * letter is a word.
 */
export function shareOfNewWords(before: string, after: string): number {
  const known = new Set(wordsOf(before));
  const words = wordsOf(after);
  return words.length === 0 ? 0 : words.filter((word) => !known.has(word)).length / words.length;
}

function wordsOf(text: string): string[] {
  return piecesOf(text.toLowerCase()).flatMap((piece) => piece.match(WORDS()) ?? []);
}
