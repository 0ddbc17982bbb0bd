import type { TextPosition } from "../errors.ts";

/** Line and column of an offset; CRLF, LF and CR each end one line. */
export function textPosition(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  let line = 1;
  let lineStart = 0;
  for (let i = 0; i < before.length; i++) {
    const c = before.charCodeAt(i);
    // The LF of a CRLF ends the line, also when the offset lies between the two.
    if (c === 0x0a || (c === 0x0d && text.charCodeAt(i + 1) !== 0x0a)) {
      line++;
      lineStart = i + 1;
    }
  }
  return { line, column: offset - lineStart + 1, offset };
}
