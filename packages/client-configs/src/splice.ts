/** A part of a text, from `start` to `end`, and the text that replaces it. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the text with these parts replaced; the parts must not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const fromTheEnd = [...splices].sort((a, b) => b.start - a.start);
  return fromTheEnd.reduce(
    (before, { start, end, text: now }) => before.slice(0, start) + now + before.slice(end),
    text,
  );
}

/** Returns the start of the line that contains a place. */
export function lineStart(text: string, place: number): number {
  return text.lastIndexOf("\n", place - 1) + 1;
}

/** Returns the end of the line that contains a place: before its line break, or at the end of the text. */
export function lineEnd(text: string, place: number): number {
  const end = text.indexOf("\n", place);
  if (end === -1) return text.length;
  return text[end - 1] === "\r" && end > place ? end - 1 : end;
}

/** Returns a text's line break, which is the one after its first line. */
export function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

/** Returns the white space at the beginning of a line. */
export function indentOf(text: string, place: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, place), place))?.[0] ?? "";
}
