import { changedParts } from "./changed-parts.ts";
import { excerptText } from "./excerpt-text.ts";

/** A line about the values of a finding: the value before (`-`) or after (`+`), or how much is not shown (`!`). */
export interface ValueLine {
  readonly sign: "-" | "+" | "!";
  readonly text: string;
}

/** Length of a line without its excerpt: the sign, the marks of a cut, the line feed. */
const LINE = 32;
/** Length of the line that says how much is not shown. */
const STATEMENT = 200;

/** A part of a value's text that is to be shown, as offsets in UTF-16 code units. */
interface Slice {
  readonly sign: "-" | "+";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The JSON texts of the values before and after, as lines of at most `room` UTF-16 code units together. Of two long texts
 * the parts in which they differ are shown. Where `room` is too small, the last line says how much is missing, and where.
 */
export function showValues(
  before: string | undefined,
  after: string | undefined,
  room: number,
  maxCompared: number,
): ValueLine[] {
  const parts = partsOf(before, after, maxCompared);
  const lines: ValueLine[] = [];
  let left = room - STATEMENT;
  for (const [index, part] of parts.entries()) {
    const missing: Slice[] = [];
    for (const [position, slice] of part.entries()) {
      left -= LINE;
      const next = part[position + 1];
      const reserved = next === undefined ? 0 : Math.min(next.end - next.start, Math.floor(left / 2));
      const { text, rest } = excerptText(slice.text.slice(slice.start, slice.end), Math.max(0, left - reserved));
      left -= text.length;
      lines.push({ sign: slice.sign, text: markLeftOut(slice, text, rest > 0 || index < parts.length - 1) });
      if (rest > 0) missing.push({ ...slice, start: slice.end - rest });
    }
    if (missing.length > 0) return [...lines, sayMissing([...missing, ...parts.slice(index + 1).flat()])];
  }
  return lines;
}

function partsOf(before: string | undefined, after: string | undefined, maxCompared: number): Slice[][] {
  if (before !== undefined && after !== undefined) {
    return changedParts(before, after, maxCompared).map((part) => [
      { sign: "-", text: before, start: part.before[0], end: part.before[1] },
      { sign: "+", text: after, start: part.after[0], end: part.after[1] },
    ]);
  }
  if (before !== undefined) return [[{ sign: "-", text: before, start: 0, end: before.length }]];
  return after === undefined ? [] : [[{ sign: "+", text: after, start: 0, end: after.length }]];
}

/** An excerpt with `…` where the text goes on, and how much of it follows where no other line does. */
function markLeftOut({ text, start, end }: Slice, excerpt: string, goesOn: boolean): string {
  const same = text.length - end;
  const behind = goesOn ? " …" : same > 0 ? ` … (${same} more)` : "";
  return `${start > 0 ? "… " : ""}${excerpt}${behind}`;
}

function sayMissing(slices: readonly Slice[]): ValueLine {
  const count = slices.reduce((sum, { start, end }) => sum + end - start, 0);
  const places = [
    { sign: "-", side: "before" },
    { sign: "+", side: "after" },
  ].flatMap(({ sign, side }) => {
    const first = slices.find((slice) => slice.sign === sign);
    return first === undefined ? [] : [`from character ${first.start + 1} of the value ${side}`];
  });
  const where = places.join(" and ");
  return { sign: "!", text: `${count} characters of this change are not shown, ${where}; SARIF has all of them` };
}
