import { piecesOf } from "./pieces-of.ts";

/** The share of the words of a text that were not in the text before, from 0 to 1; of scripts without spaces each letter is a word. */
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
