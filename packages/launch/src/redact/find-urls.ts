import type { HiddenText } from "./hidden-text.ts";

/**
 * Placeholder passwords, with which the secret is the user's name, as in `https://<token>:x-oauth-basic@github.com`.
 */
const PLACEHOLDER = /^(?:|x|_|-|x-oauth-basic|api_token|unused|ignored)$/i;
/** Characters that other parsers treat as the end of user information or map to such a character. */
const DELIMITER = /%(?:[01][0-9a-f]|20|23|2f|3f|40|5c|7f)|[@\u0080-\uffff]+/gi;
const URL_START = /(["']?)[a-z][a-z0-9+.-]{0,63}:\/\//gi;

/**
 * Hides the passwords of the URLs in a text, or the user's name if a URL has no password.
 *
 * User information ends at the last `@` before `/`, `\`, `?` or `#`: browsers and Node.js treat a backslash as a slash,
 * so the host of `https://evil.example\@good.example` is evil.example, and it has no user.
 */
export function hideUserInformation(hidden: HiddenText): void {
  const { text } = hidden;
  for (const { 0: found, 1: quote = "", index } of text.matchAll(URL_START)) {
    const start = index + found.length;
    const { end, colon } = readUserInformation(text, start, quote);
    if (end === undefined) continue;
    if (colon === undefined || PLACEHOLDER.test(text.slice(colon + 1, end))) hideWithin(hidden, start, colon ?? end);
    else hideWithin(hidden, colon + 1, end);
  }
}

/**
 * Returns the indexes of the end of user information and of its colon. A colon inside a reference is not a separator.
 */
function readUserInformation(text: string, start: number, quote: string): { end?: number; colon?: number } {
  const piece = /\$\{[^{}\t-\r ]*\}|[\t-\r /\\?#"<>`|]|[:@']/g;
  piece.lastIndex = start;
  let end: number | undefined;
  let colon: number | undefined;
  for (let match = piece.exec(text); match; match = piece.exec(text)) {
    const [found] = match;
    if (found === "@") end = match.index;
    else if (found === ":") colon ??= match.index;
    else if (!found.startsWith("$") && (found !== "'" || quote === "'")) break;
  }
  if (end === undefined) return {};
  return colon === undefined || colon > end ? { end } : { end, colon };
}

function hideWithin(hidden: HiddenText, start: number, end: number): void {
  let index = start;
  for (const { 0: delimiter, index: offset } of hidden.text.slice(start, end).matchAll(DELIMITER)) {
    hidden.hideInert(index, start + offset);
    index = start + offset + delimiter.length;
  }
  hidden.hideInert(index, end);
}
