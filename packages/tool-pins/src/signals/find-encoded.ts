const WORD = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}/g;
const HEX = /^(?:0x)?(?=[a-f]*[0-9])[0-9a-f]+$/i;
/** A part of an identifier: a word that may begin with a capital, a run of capitals, or digits. */
const PART = /[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
/** The maximum mean number of characters per part: identifiers have more, random letters fewer. */
const MAX_MEAN_LENGTH = 3;

/**
 * Returns the words of a text that are encoded data: hexadecimal or Base64 of 24 characters or more. Identifiers and
 * paths do not count.
 */
export function findEncoded(text: string): Set<string> {
  return new Set((text.match(WORD) ?? []).filter((word) => HEX.test(word) || isBase64(word)));
}

function isBase64(word: string): boolean {
  if (!/[a-z]/.test(word) || !/[A-Z]/.test(word)) return false;
  return word.length / (word.match(PART) ?? []).length < MAX_MEAN_LENGTH;
}
