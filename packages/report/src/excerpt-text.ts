import { splitsSurrogates } from "@agentprint/canonical-json";
import { showText } from "./characters/show-text.ts";
import { MAX_WORD_LENGTH } from "./limits.ts";

/** The beginning of a text, escaped. */
export interface Excerpt {
  readonly text: string;
  /** Length of the rest of the text, in UTF-16 code units. */
  readonly rest: number;
}

/**
 * Returns the beginning of a text, with at most `maxLength` UTF-16 code units when escaped. The cut splits neither a
 * word nor a character.
 */
export function excerptText(text: string, maxLength: number): Excerpt {
  let end = Math.min(text.length, maxLength);
  let shown = showText(text.slice(0, end));
  while (shown.length > maxLength) {
    end = Math.floor((end * maxLength) / shown.length);
    shown = showText(text.slice(0, end));
  }
  if (end === text.length) return { text: shown, rest: 0 };
  end = wordStart(text, end);
  return { text: showText(text.slice(0, end)), rest: text.length - end };
}

/** Returns the beginning of a text as by {@link excerptText}, with a note of how much follows. */
export function shorten(text: string, maxLength: number): string {
  const { text: shown, rest } = excerptText(text, maxLength);
  return rest === 0 ? shown : `${shown} … (${rest} more)`;
}

/**
 * Returns the beginning of the word at an index, or in a long word the index itself. White space and quotation marks
 * separate words.
 */
export function wordStart(text: string, index: number): number {
  if (isBreak(text, index)) return index;
  for (let start = index; index - start <= MAX_WORD_LENGTH; start--) {
    if (isBreak(text, start - 1)) return start;
  }
  return splitsSurrogates(text, index) ? index - 1 : index;
}

/** Returns the end of the word at an index, with words separated as in {@link wordStart}. */
export function wordEnd(text: string, index: number): number {
  if (isBreak(text, index - 1)) return index;
  for (let end = index; end - index <= MAX_WORD_LENGTH; end++) {
    if (isBreak(text, end)) return end;
  }
  return splitsSurrogates(text, index) ? index + 1 : index;
}

function isBreak(text: string, index: number): boolean {
  return index < 0 || index >= text.length || /[\s"]/.test(text.charAt(index));
}
