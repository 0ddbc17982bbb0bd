import { MAX_SCHEME_LENGTH } from "../limits.ts";
import type { HiddenText } from "./hidden-text.ts";
import { endOfQuote, type QuotedStrings } from "./quotes.ts";
import { isPlural, isSecretValue, type NameKind } from "./secret-names.ts";

/** A text to search for secrets, with its quotes. */
export interface SearchedText {
  readonly hidden: HiddenText;
  readonly quotes: QuotedStrings;
}

const SCHEME = /^(?:bearer|basic|token|digest|apikey|api-key|bot|negotiate|hmac)[ \t]+(?=[^\t-\r ])/i;

/** Returns where a header's value begins, which is after the name of a scheme, as in `Bearer …`. */
function behindScheme(text: string, start: number, end: number): number {
  const scheme = SCHEME.exec(text.slice(start, Math.min(end, start + MAX_SCHEME_LENGTH)));
  return start + (scheme?.[0].length ?? 0);
}

/** Hides the value that begins at an index (a quoted string or a run of inert characters) and returns its end. */
export function hideValue(searched: SearchedText, start: number, name: string, kind: NameKind): number {
  const { hidden, quotes } = searched;
  const { text } = hidden;
  const quoteEnd = endOfQuote(text, start);
  if (quoteEnd === undefined) return hideWord(hidden, start, name, kind);
  // In `"TOKEN="`, the quote after the name closes the string that began before the name, so there is no value.
  if (quotes.isClosing(start)) return start;
  const content = quotes.openedAt(start);
  if (!content || !(quotes.isCertainAt(start) || hidden.isInert(content))) {
    return hideWord(hidden, quoteEnd, name, kind);
  }
  if (!isSecretValue(kind, text.slice(content.start, content.end))) return start;
  hidden.hideInert(behindScheme(text, content.start, content.end), content.end);
  return content.end;
}

/** Hides the rest of an argument, which is a single value. */
export function hideWhole({ hidden }: SearchedText, start: number, kind: NameKind): void {
  const { text } = hidden;
  if (isSecretValue(kind, text.slice(start))) hidden.hideInert(behindScheme(text, start, text.length), text.length);
}

/** Hides the value of a URL parameter and returns its end: `&`, `#` or a character that no URL contains. */
export function hideParameter({ hidden }: SearchedText, start: number, kind: NameKind): number {
  const { text } = hidden;
  const stop = /[\t-\r &#;"'<>\\`|]|$/g;
  stop.lastIndex = start;
  const end = stop.exec(text)?.index ?? text.length;
  if (isSecretValue(kind, text.slice(start, end))) hidden.hideInert(start, end);
  return end;
}

function hideWord(hidden: HiddenText, start: number, name: string, kind: NameKind): number {
  const { text } = hidden;
  const first = behindScheme(text, start, text.length);
  let end = hidden.endOfRun(first, ",");
  if (!isSecretValue(kind, text.slice(first, end))) return start;
  while (isPlural(name) && text[end] === "," && hidden.endOfRun(end + 1, ",") > end + 1) {
    end = hidden.endOfRun(end + 1, ",");
  }
  hidden.hideInert(first, end, ",");
  return end;
}
