import type { Surroundings } from "./changed-parts.ts";
import type { TextComparer } from "./compare-words.ts";
import { excerptText } from "./excerpt-text.ts";
import { MIN_LEFT_OUT } from "./limits.ts";
import { marked, type Segment, type Slice, slicesOf } from "./value-slices.ts";

/**
 * A line about a finding's values: from the value before (`-`), from the value after (`+`), from both, with marks
 * around the words that differ (`~`) or identical (` `), or a line that says how much is not shown (`!`).
 */
export interface ValueLine {
  readonly sign: "-" | "+" | "~" | " " | "!";
  readonly text: string;
}

/** A finding's values as lines. */
export interface ShownValues {
  readonly lines: readonly ValueLine[];
  /** Whether everything is shown except text that did not change. */
  readonly isWhole: boolean;
}

/** How values are shown. */
export interface ValueOptions {
  /** The maximum number of UTF-16 code units in all lines together. */
  readonly room: number;
  /** Whether a value is shown on one line, followed by the number of characters that are not shown. */
  readonly isBrief: boolean;
}

/** The length of a line without its excerpt: the sign, the marks for a cut, and the line feed. */
const LINE = 32;
/** The length of the line that says how much is not shown. */
const STATEMENT = 200;
/** A value with more lines than this is shown on one line, in which `\n` stands for a line feed. */
const MAX_LINES = 200;

/** When a brief report has no room, one-word values up to this length are shown; others are only marked as omitted. */
const MAX_SHORT = 16;

const LONG: Surroundings = { context: 40, short: 200 };
const BRIEF: Surroundings = { context: 20, short: 80 };

/**
 * Returns the values before and after as lines of JSON text. Of two long texts, only the parts that differ are shown.
 * If there is too little room, the lines say how much is missing, and where.
 */
export function showValues(
  before: string | undefined,
  after: string | undefined,
  comparer: TextComparer,
  { room, isBrief }: ValueOptions,
): ShownValues {
  if (isBrief && room === 0 && !isShort(`${before ?? ""}${after ?? ""}`)) {
    return { lines: [{ sign: " ", text: "…" }], isWhole: false };
  }
  const parts = slicesOf(before, after, comparer, isBrief ? BRIEF : LONG);
  const lines: ValueLine[] = [];
  let left = isBrief ? room || MAX_SHORT : room - STATEMENT;
  for (const [index, slices] of parts.entries()) {
    const missing: Segment[] = [];
    const later = parts.slice(index + 1).flat();
    for (const [position, slice] of slices.entries()) {
      if (!isBrief) left -= LINE;
      const next = slices[position + 1];
      const reserved = next === undefined ? 0 : Math.min(lengthOf(next), Math.floor(left / 2));
      const most = Math.max(0, left - reserved);
      const isNearly = isBrief && lengthOf(slice) <= most + MIN_LEFT_OUT;
      const shown = excerptSlice(slice, isNearly ? Number.POSITIVE_INFINITY : most);
      left = Math.max(0, left - lengthsOf(shown.segments));
      missing.push(...shown.missing);
      // On one line, the mark after the previous part also stands for the text omitted before this one.
      const start = slice.isInside && !(isBrief && index > 0) ? "… " : "";
      const isLast = next === undefined && missing.length > 0;
      const unsaid =
        isBrief && isLast ? [...shown.missing, ...later.flatMap(({ segments }) => segments)] : shown.missing;
      const end = endOf(slice, unsaid, later.length > 0, isBrief);
      lines.push(...toLines(shown.segments, start, end, isBrief));
    }
    if (missing.length === 0) continue;
    if (!isBrief) {
      const hidden = [...missing, ...later.flatMap(({ segments }) => segments)];
      lines.push({ sign: "!", text: sayMissing(hidden) });
    }
    return { lines, isWhole: false };
  }
  return { lines, isWhole: true };
}

function isShort(text: string): boolean {
  return text.length <= MAX_SHORT && !/\s/.test(text);
}

interface Excerpt {
  readonly segments: readonly Segment[];
  readonly missing: readonly Segment[];
}

/** Returns the beginning of a slice as escaped segments, and the length of the omitted part. */
function excerptSlice({ segments }: Slice, room: number): Excerpt {
  const shown: Segment[] = [];
  let left = room;
  for (const [index, segment] of segments.entries()) {
    const { text, rest } = excerptText(segment.text, left);
    left -= text.length;
    if (text !== "") shown.push({ ...segment, text });
    if (rest === 0) continue;
    const done = segment.text.length - rest;
    const cut: Segment = {
      side: segment.side,
      text: segment.text.slice(done),
      ...(segment.before !== undefined && { before: segment.before + done }),
      ...(segment.after !== undefined && { after: segment.after + done }),
    };
    return { segments: shown, missing: [cut, ...segments.slice(index + 1)] };
  }
  return { segments: shown, missing: [] };
}

/** Returns the end of a slice: `…` if the text continues, with the length of the rest if no other line states it. */
function endOf({ same }: Slice, missing: readonly Segment[], goesOn: boolean, isBrief: boolean): string {
  if (isBrief && missing.length > 0) return ` … (${lengthsOf(missing)} more)`;
  if (goesOn || missing.length > 0) return " …";
  return same === 0 ? "" : isBrief ? " …" : ` … (${same} more)`;
}

function toLines(segments: readonly Segment[], start: string, end: string, isBrief: boolean): ValueLine[] {
  const rows = isBrief ? [segments] : rowsOf(segments);
  return rows.map((row, index): ValueLine => {
    const sides = new Set(row.map(({ side }) => side));
    const [only] = sides;
    const sign = sides.size > 1 || only === undefined ? "~" : only === "=" ? " " : only;
    const text = row.map(({ side, text }) => (sign === "~" ? marked(side, text) : text)).join("");
    const isLast = index === rows.length - 1 && end !== "";
    return { sign, text: `${index === 0 ? start : ""}${isLast ? text.trimEnd() + end : text}` };
  });
}

/** Splits segments into rows: a row ends after each `\n` in the JSON text. */
function rowsOf(segments: readonly Segment[]): (readonly Segment[])[] {
  const rows: Segment[][] = [[]];
  for (const segment of segments) {
    for (const [index, text] of segment.text.split(/(?<=(?<!\\)(?:\\\\){0,8}\\n)/).entries()) {
      if (index > 0) rows.push([]);
      if (text !== "") rows.at(-1)?.push({ ...segment, text });
    }
    if (rows.length > MAX_LINES) return [segments];
  }
  return rows.filter((row, index) => row.length > 0 || index === 0);
}

function sayMissing(segments: readonly Segment[]): string {
  const places = (["before", "after"] as const).flatMap((side) => {
    const first = segments.find((segment) => segment[side] !== undefined)?.[side];
    return first === undefined ? [] : [`from character ${first + 1} of the value ${side}`];
  });
  const where = places.join(" and ");
  return `${lengthsOf(segments)} characters of this change are not shown, ${where}; SARIF has all of them`;
}

function lengthOf({ segments }: Slice): number {
  return lengthsOf(segments);
}

function lengthsOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { text }) => sum + text.length, 0);
}
