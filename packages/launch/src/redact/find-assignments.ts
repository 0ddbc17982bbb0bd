import { MAX_NAME_LENGTH } from "../limits.ts";
import { hideParameter, hideValue, type SearchedText } from "./hide-values.ts";
import { endOfQuote } from "./quotes.ts";
import { kindOfName } from "./secret-names.ts";

/** Headers that may have no space after the colon. After other names, such a colon begins a port, a tag or a path. */
const HEADER = /^(?:(?:proxy-)?authorization|cookie|x-[\w-]+)$/i;

interface Name {
  readonly text: string;
  readonly start: number;
  readonly quoted: boolean;
  /** Whether there are spaces between the name and its separator. */
  readonly isApart: boolean;
}

/**
 * Hides the values of secret names anywhere in a text: `NAME=value`, `"name": "value"`, `Header: value`,
 * `?name=value`, `NAME = "value"` and the default of `${NAME:-value}`.
 */
export function hideAssignments(searched: SearchedText): void {
  const { text } = searched.hidden;
  let hiddenUntil = 0;
  for (const { index } of text.matchAll(/[=:]/g)) {
    if (index < hiddenUntil) continue;
    const name = nameBefore(searched, index);
    const kind = name && kindOfName(name.text);
    if (!kind) continue;
    const isParameter = !name.quoted && text[index] === "=" && /[?&]/.test(text[name.start - 1] ?? "");
    if (isParameter) hiddenUntil = hideParameter(searched, index + 1, kind);
    // `key` alone names a secret only as a parameter or a flag.
    else if (!/^key$/i.test(name.text)) {
      const value = startOfValue(text, name, index);
      if (value !== undefined) hiddenUntil = hideValue(searched, value, name.text, kind);
    }
  }
}

function nameBefore({ hidden: { text }, quotes }: SearchedText, separator: number): Name | undefined {
  let end = separator;
  if (text[separator] === "=" && /[:+?]/.test(text[end - 1] ?? "")) end--;
  while (/[ \t]/.test(text[end - 1] ?? "") && separator - end < MAX_NAME_LENGTH) end--;
  const isApart = end < separator - 1;
  if (text[end - 1] === "]") end--;
  const content = quotes.closedBefore(end);
  if (content && content.end - content.start <= MAX_NAME_LENGTH) {
    return { text: unescaped(text.slice(content.start, content.end)), start: content.start, quoted: true, isApart };
  }
  if (/["']/.test(text[end - 1] ?? "")) end--;
  let start = end;
  while (/[\w.%-]/.test(text[start - 1] ?? "") && end - start <= MAX_NAME_LENGTH) start--;
  return start === end ? undefined : { text: text.slice(start, end), start, quoted: false, isApart };
}

/** Returns the start of the value after a separator, or `undefined` when the separator assigns nothing. */
function startOfValue(text: string, name: Name, separator: number): number | undefined {
  if (/\$\{(?:(?:env|input):)?$/.test(text.slice(Math.max(0, name.start - 8), name.start))) {
    const operator = /^:?[-=?+]/.exec(text.slice(separator, separator + 2));
    return operator ? separator + operator[0].length : undefined;
  }
  const isEquals = text[separator] === "=";
  if (isEquals && (/[=~]/.test(text[separator + 1] ?? "") || /[=!<>~]/.test(text[separator - 1] ?? "")))
    return undefined;
  const isArrow = isEquals && text[separator + 1] === ">";
  const behind = separator + (isArrow ? 2 : 1);
  let start = behind;
  while (start - behind < MAX_NAME_LENGTH && /[\t-\r ]/.test(text[start] ?? "")) start++;
  if (endOfQuote(text, start) !== undefined) return start;
  const isApart = name.isApart || start > behind;
  if (isEquals) return isApart || isArrow ? undefined : start;
  return name.quoted || isApart || HEADER.test(name.text) ? start : undefined;
}

/** Decodes a name's characters that are escaped as in JSON. */
function unescaped(name: string): string {
  return name.replace(/\\+u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
