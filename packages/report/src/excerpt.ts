import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import { escapeText } from "./escape-text.ts";

/** Longest string of unknown origin that a report for people shows whole, in UTF-16 code units before escaping. */
const MAX_LENGTH = 200;
/** How much of what two long values have in common is shown around their difference. */
const CONTEXT = 40;

/** A string of unknown origin, escaped, and shortened when it is long. */
export function excerptText(text: string): string {
  return window(text, 0, text.length);
}

/** A value as one line of escaped JSON text, shortened when it is long. */
export function excerptValue(value: JsonValue): string {
  return excerptText(jsonText(value));
}

/** Two values as lines of escaped JSON text; when they are long, the part where they differ. */
export function excerptPair(before: JsonValue, after: JsonValue): [before: string, after: string] {
  const [old, now] = [jsonText(before), jsonText(after)];
  if (old.length <= MAX_LENGTH && now.length <= MAX_LENGTH) return [escapeText(old), escapeText(now)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let common = 0;
  while (common < shorter - start && old.at(-1 - common) === now.at(-1 - common)) common++;
  const from = Math.max(0, start - CONTEXT);
  const cut = Math.max(0, common - CONTEXT);
  return [window(old, from, old.length - cut), window(now, from, now.length - cut)];
}

function window(text: string, from: number, to: number): string {
  const start = splitsPair(text, from) ? from - 1 : from;
  let end = Math.min(to, start + MAX_LENGTH);
  if (splitsPair(text, end)) end++;
  const more = text.length - end;
  return `${start > 0 ? "… " : ""}${escapeText(text.slice(start, end))}${more > 0 ? ` … (${more} more)` : ""}`;
}

function splitsPair(text: string, index: number): boolean {
  return index > 0 && index < text.length && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}

function jsonText(value: JsonValue): string {
  return canonicalize(value, { profile: "ecmascript" });
}
