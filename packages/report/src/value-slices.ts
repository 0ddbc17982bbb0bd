import { type ChangedPart, changedParts, type Surroundings } from "./changed-parts.ts";
import type { TextComparer } from "./compare-words.ts";

/** A piece of text that belongs to one side, or is the same on both. */
export interface Segment {
  readonly side: "-" | "+" | "=";
  readonly text: string;
  /** Where the piece begins, as UTF-16 offsets; absent for a side that does not have it. */
  readonly before?: number;
  readonly after?: number;
}

/** Segments that are shown one after the other: from one side, or from both with marks around the words that differ. */
export interface Slice {
  readonly segments: readonly Segment[];
  /** Whether omitted text precedes the slice. */
  readonly isInside: boolean;
  /** The length of the text after the slice that is the same on both sides, or 0. */
  readonly same: number;
}

/** The marks around words that only the old or only the new text has. */
const MARKS = { "-": ["[-", "-]"], "+": ["{+", "+}"], "=": ["", ""] } as const;

/**
 * Marks are used if there is at most one change per this many UTF-16 code units. Texts with more changes are easier to
 * read in full.
 */
const HUNK_LENGTH = 24;

/** Matches the text between marks, with the marks. */
export const MARKED: RegExp = /\[-.*?-\]|\{\+.*?\+\}/gs;

/** Returns a segment, with marks around it if it belongs to one side. */
export function marked(side: Segment["side"], text: string): string {
  const [open, close] = MARKS[side];
  return open + text + close;
}

/**
 * Returns the slices of two texts that show how they differ: for each part, one slice from both sides, or one from each
 * side.
 */
export function slicesOf(
  before: string | undefined,
  after: string | undefined,
  comparer: TextComparer,
  surroundings: Surroundings,
): (readonly Slice[])[] {
  if (before !== undefined && after !== undefined) {
    return changedParts(before, after, comparer, surroundings).map((part) => slicesOfPart(part, before, after));
  }
  const slice = { isInside: false, same: 0 };
  if (before !== undefined) return [[{ ...slice, segments: [{ side: "-", text: before, before: 0 }] }]];
  return after === undefined ? [] : [[{ ...slice, segments: [{ side: "+", text: after, after: 0 }] }]];
}

function slicesOfPart(part: ChangedPart, before: string, after: string): Slice[] {
  const [[b0, b1], [a0, a1]] = [part.before, part.after];
  const segments = segmentsOf(part, before, after);
  const same = segments.reduce((sum, { side, text }) => sum + (side === "=" ? text.length : 0), 0);
  const rest = before.length - b1;
  const length = Math.max(b1 - b0, a1 - a0);
  if (same * 2 >= length && part.hunks.length * HUNK_LENGTH <= length && isReadable(segments)) {
    return [{ segments, isInside: b0 > 0 || a0 > 0, same: rest }];
  }
  return [
    { segments: [{ side: "-", text: before.slice(b0, b1), before: b0 }], isInside: b0 > 0, same: rest },
    { segments: [{ side: "+", text: after.slice(a0, a1), after: a0 }], isInside: a0 > 0, same: rest },
  ];
}

function segmentsOf({ before: [b0, b1], after: [a0], hunks }: ChangedPart, before: string, after: string): Segment[] {
  const segments: Segment[] = [];
  let [b, a] = [b0, a0];
  const addSame = (end: number): void => {
    if (end > b) segments.push({ side: "=", text: before.slice(b, end), before: b, after: a });
    a += end - b;
    b = end;
  };
  for (const hunk of hunks) {
    addSame(hunk.before[0]);
    const [removed, added] = [before.slice(...hunk.before), after.slice(...hunk.after)];
    if (removed !== "") segments.push({ side: "-", text: removed, before: b });
    if (added !== "") segments.push({ side: "+", text: added, after: a });
    [b, a] = [hunk.before[1], hunk.after[1]];
  }
  addSame(b1);
  return segments;
}

/**
 * Returns whether the marks are distinct from the text, so that no text can make it look as if other words had changed.
 */
function isReadable(segments: readonly Segment[]): boolean {
  const text = segments.map(({ side, text }) => marked(side, text)).join("");
  const found = text.match(MARKED) ?? [];
  const expected = segments.flatMap(({ side, text }) => (side === "=" ? [] : [marked(side, text)]));
  return found.length === expected.length && found.every((each, index) => each === expected[index]);
}
