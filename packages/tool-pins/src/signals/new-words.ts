import { piecesOf } from "./pieces-of.ts";

/** The share of a text's words that were not in the old text, from 0 to 1; in scripts without spaces, each letter is a word. */
export function shareOfNewWords(before: string, after: string): number {
  const known = new Set(wordsOf(before));
  const words = wordsOf(after);
  return words.length === 0 ? 0 : words.filter((word) => !known.has(word)).length / words.length;
}

function wordsOf(text: string): string[] {
  const word =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+/gu;
  return piecesOf(text.toLowerCase()).flatMap((piece) => piece.match(word) ?? []);
}
