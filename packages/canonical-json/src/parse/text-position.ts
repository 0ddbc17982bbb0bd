import type { TextPosition } from "../errors.ts";

/** Line and column of an offset; CRLF, LF and CR each end one line. */
export function textPosition(text: string, offset: number): TextPosition {
  return textPositions(text.slice(0, offset + 1), [offset])[0] as TextPosition;
}

/** Line and column of each offset, in one pass over the text. */
export function textPositions(text: string, offsets: readonly number[]): TextPosition[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    // The LF of a CRLF ends the line.
    if (c === 0x0a || (c === 0x0d && text.charCodeAt(i + 1) !== 0x0a)) starts.push(i + 1);
  }
  return offsets.map((offset) => {
    const line = lastAtMost(starts, offset);
    return { line: line + 1, column: offset - (starts[line] as number) + 1, offset };
  });
}

/** The index of the last of the rising numbers that is not above the limit; the first never is. */
function lastAtMost(rising: readonly number[], limit: number): number {
  let low = 0;
  let high = rising.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rising[middle] as number) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
