import type { TextPosition } from "../errors.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export const TEXT_START: TextPosition = { line: 1, column: 1, offset: 0 };

/**
 * Returns the line and column of an offset; CRLF, LF and CR each end one line. If the text is part of another, `start`
 * is where it begins there.
 */
export function textPosition(text: string, offset: number, start: TextPosition = TEXT_START): TextPosition {
  const starts = lineStarts(text, offset);
  const column = offset - Number(starts.at(-1)) + 1;
  return {
    line: start.line + starts.length - 1,
    column: starts.length === 1 ? start.column + column - 1 : column,
    offset: start.offset + offset,
  };
}

/** Returns the line and column of each offset, in one pass over the text. */
export function textPositions(text: string, offsets: readonly number[]): TextPosition[] {
  const starts = lineStarts(text, text.length);
  return offsets.map((offset) => {
    const line = lastAtMost(starts, offset);
    return { line: line + 1, column: offset - (starts[line] as number) + 1, offset };
  });
}

/** Returns the offsets of the lines that start at `end` or before it. */
function lineStarts(text: string, end: number): number[] {
  const starts = [0];
  for (let i = 0; i < end; i++) {
    const unit = text.charCodeAt(i);
    // In a CRLF it is the LF that ends the line.
    if (unit === LINE_FEED || (unit === CARRIAGE_RETURN && text.charCodeAt(i + 1) !== LINE_FEED)) starts.push(i + 1);
  }
  return starts;
}

/**
 * Returns the index of the last number that is not above the limit. The numbers must be ascending, and the first must
 * not be above the limit.
 */
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
