import { asLatin } from "./look-alikes.ts";
import { scriptExpression, unicodeExpression } from "./unicode-expression.ts";

/** Scripts that occur together in one word ("highly restrictive" in UTS #39). */
const EAST_ASIAN_AND_LATIN = "Han Hiragana Katakana Bopomofo Hangul Latin";
const OTHERS =
  "Greek Cyrillic Armenian Hebrew Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Ethiopic Cherokee Canadian_Aboriginal Khmer Mongolian Coptic Lisu Glagolitic Deseret Tifinagh";
const LATIN = scriptExpression("Latin");
const WORDS = unicodeExpression("[\\p{L}\\p{M}]+", "gu");

/** Returns the words of a text that mix scripts, and, in a Latin text, words in another script that look Latin. */
export function findMixedScript(text: string): Set<string> {
  if (isAscii(text)) return new Set();
  const isLatin = /[a-z]/i.test(text);
  return new Set(
    (text.match(WORDS()) ?? []).filter((word) => !isAscii(word) && (isMixed(word) || (isLatin && looksLatin(word)))),
  );
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

let groups: readonly (() => RegExp)[] | undefined;

/**
 * Returns whether a word mixes groups. The scripts that occur together are one group, each other script is one, and all
 * scripts that are not named here are one.
 */
function isMixed(word: string): boolean {
  groups ??= [EAST_ASIAN_AND_LATIN, ...OTHERS.split(" "), `^${EAST_ASIAN_AND_LATIN} ${OTHERS} Common Inherited`].map(
    (scripts) => scriptExpression(`[${scripts}]`),
  );
  return groups.filter((group) => group().test(word)).length > 1;
}

/** Returns whether a word looks Latin. A single letter such as `α` or `ο` does not count, because it is a symbol. */
function looksLatin(word: string): boolean {
  return !LATIN().test(word) && /^[a-z]{2,}$/.test(asLatin(word));
}
