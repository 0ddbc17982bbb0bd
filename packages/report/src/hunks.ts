import {
  canonicalize,
  escapeJsonText,
  type JsonValue,
  sliceWithoutSplittingSurrogates,
} from "@agentprint/canonical-json";

/** A line in a JSON text, and whether only this text has it. */
export interface HunkLine {
  readonly text: string;
  readonly isChanged: boolean;
}

/** The lines around one difference between two JSON texts, for a page that shows both sides next to each other. */
export interface JsonHunk {
  /**
   * The number of lines omitted between the previous hunk, or the beginning, and this one. They are the same on both
   * sides.
   */
  readonly skipped: number;
  readonly before: readonly HunkLine[];
  readonly after: readonly HunkLine[];
}

/** A run of lines that are on both sides or on only one. */
interface Run {
  readonly isSame: boolean;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** How many lines that are the same on both sides are shown around a difference. */
const CONTEXT = 2;
/** The maximum number of line pairs that are compared; if there are more, all lines are shown as changed. */
const MAX_PAIRS = 40_000;
/** The maximum number of lines on one side of a hunk, and of UTF-16 code units in a line. */
const MAX_LINES = 200;
const MAX_LENGTH = 2000;
/** The deepest indentation, in levels, so that the length of a deep value's text stays proportional to the value. */
const MAX_INDENT = 16;
/** Matches a token of canonical JSON: a string, a bracket, a comma, a colon, or the text between them. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^"[\]{},:]+/g;

/**
 * Returns the parts in which two JSON values differ, as indented lines of their canonical text. Invisible characters
 * are escaped.
 *
 * @example
 * ```ts
 * import { jsonHunks } from "@agentprint/report/hunks";
 *
 * const [hunk] = jsonHunks({ a: 1, b: 2, c: 3, d: 4, limit: 100 }, { a: 1, b: 2, c: 3, d: 4, limit: 50 });
 * console.log(hunk?.skipped, hunk?.after.length); // 3 4
 * ```
 */
export function jsonHunks(before: JsonValue, after: JsonValue): JsonHunk[] {
  const runs = runsOf(linesOf(before), linesOf(after));
  const hunks: JsonHunk[] = [];
  let skipped = 0;
  let [open, isOpen] = [{ before: [] as HunkLine[], after: [] as HunkLine[] }, false];
  const close = (): void => {
    if (isOpen) hunks.push({ skipped, before: cut(open.before), after: cut(open.after) });
    [open, isOpen, skipped] = [{ before: [], after: [] }, false, 0];
  };
  const add = (run: Run): void => {
    open.before.push(...run.before.map((text) => ({ text, isChanged: !run.isSame })));
    open.after.push(...run.after.map((text) => ({ text, isChanged: !run.isSame })));
  };
  for (const [index, run] of runs.entries()) {
    const { length } = run.before;
    const ahead = index === 0 ? 0 : CONTEXT;
    const behind = index === runs.length - 1 ? 0 : CONTEXT;
    if (!run.isSame || length <= ahead + behind) {
      add(run);
      isOpen ||= !run.isSame;
      continue;
    }
    add(sameLines(run.before.slice(0, ahead)));
    close();
    skipped = length - ahead - behind;
    add(sameLines(run.before.slice(length - behind, length)));
  }
  close();
  return hunks;
}

/** Returns the indented lines of a value. */
function linesOf(value: JsonValue): string[] {
  const parts: string[] = [];
  let [depth, last] = [0, ""];
  const newLine = (): string => `\n${"  ".repeat(Math.min(depth, MAX_INDENT))}`;
  for (const [token] of canonicalize(value, { profile: "ecmascript" }).matchAll(TOKEN)) {
    const isClosing = token === "]" || token === "}";
    const isFirst = last === "[" || last === "{";
    if (isClosing) depth -= 1;
    if (isClosing !== isFirst || last === ",") parts.push(newLine());
    parts.push(token === ":" ? ": " : token);
    if (token === "[" || token === "{") depth += 1;
    last = token;
  }
  return escapeJsonText(parts.join("")).split("\n");
}

function sameLines(lines: readonly string[]): Run {
  return { isSame: true, before: lines, after: lines };
}

/**
 * Returns the runs of two texts: the lines that are the same at both ends, and between them the longest common
 * subsequence.
 */
function runsOf(before: readonly string[], after: readonly string[]): Run[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const middle = [before.slice(start, before.length - end), after.slice(start, after.length - end)] as const;
  const ends = [before.slice(0, start), before.slice(before.length - end)].map(sameLines) as [Run, Run];
  return [ends[0], ...middleRuns(...middle), ends[1]].filter((run) => run.before.length + run.after.length > 0);
}

function middleRuns(before: readonly string[], after: readonly string[]): Run[] {
  if (before.length * after.length > MAX_PAIRS) return [{ isSame: false, before, after }];
  const common = commonLengths(before, after);
  const width = after.length + 1;
  const runs: { isSame: boolean; before: string[]; after: string[] }[] = [];
  const runOf = (isSame: boolean) => {
    const last = runs.at(-1);
    if (last?.isSame === isSame) return last;
    const run = { isSame, before: [], after: [] };
    runs.push(run);
    return run;
  };
  let [b, a] = [0, 0];
  while (b < before.length || a < after.length) {
    const [left, right] = [before[b], after[a]];
    if (left !== undefined && left === right) {
      const run = runOf(true);
      run.before.push(left);
      run.after.push(left);
      b += 1;
      a += 1;
    } else if (
      right === undefined ||
      (left !== undefined && at(common, (b + 1) * width + a) >= at(common, b * width + a + 1))
    ) {
      runOf(false).before.push(left as string);
      b += 1;
    } else {
      runOf(false).after.push(right);
      a += 1;
    }
  }
  return runs;
}

/** Returns how many lines the ends of both texts have in common, for each pair of places at which the ends begin. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint16Array {
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  for (let b = before.length - 1; b >= 0; b--) {
    for (let a = after.length - 1; a >= 0; a--) {
      common[b * width + a] =
        before[b] === after[a]
          ? at(common, (b + 1) * width + a + 1) + 1
          : Math.max(at(common, (b + 1) * width + a), at(common, b * width + a + 1));
    }
  }
  return common;
}

function at(lengths: Uint16Array, index: number): number {
  return lengths[index] as number;
}

/** Returns the shown lines of a side. It cuts long lines, and long lists of lines, with an ellipsis. */
function cut(lines: readonly HunkLine[]): HunkLine[] {
  const shown = lines.slice(0, MAX_LINES).map(({ text, isChanged }) => ({ text: cutText(text), isChanged }));
  return lines.length > MAX_LINES ? [...shown, { text: "…", isChanged: true }] : shown;
}

function cutText(text: string): string {
  return text.length > MAX_LENGTH ? `${sliceWithoutSplittingSurrogates(text, 0, MAX_LENGTH)}…` : text;
}
