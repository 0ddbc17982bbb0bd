import { isWordUnit } from "../parse/text-scanner.ts";

const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where a value ends, or which of its containers are still open where the bytes end. */
export interface ValueEnd {
  /** The index after the value; −1 if more bytes may belong to it. */
  readonly end: number;
  /** Where the open containers start, outermost first. */
  readonly open: readonly number[];
}

/**
 * Finds the end of the value at `start` by its brackets and quotes alone, so the text between them need not be JSON.
 */
export function valueEnd(bytes: Uint8Array, start: number): ValueEnd {
  const open: number[] = [];
  let at = start;
  while (at < bytes.length) {
    const c = bytes[at] as number;
    if (c === QUOTE) {
      at = stringEnd(bytes, at);
      if (at < 0) return { end: -1, open };
    } else if (c === OPEN_OBJECT || c === OPEN_ARRAY) open.push(at++);
    else if (open.length === 0) return { end: wordEnd(bytes, start), open };
    else {
      if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) open.pop();
      at++;
    }
    if (open.length === 0) return { end: at, open };
  }
  return { end: -1, open };
}

/** Returns the index after the string that starts at `start`; −1 if the string does not end. */
export function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (;;) {
    const c = bytes[at];
    if (c === undefined) return -1;
    if (c === QUOTE) return at + 1;
    at += c === BACKSLASH ? 2 : 1;
  }
}

function wordEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isWordUnit(bytes[at] ?? 0)) at++;
  if (at === bytes.length) return -1;
  return at === start ? start + 1 : at;
}
