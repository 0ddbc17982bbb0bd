import { splitsSurrogates } from "@agentprint/canonical-json";
import { MAX_COMPARED_LENGTH, MAX_COMPARED_STEPS, MAX_EDITS, MAX_WORD_LENGTH } from "./limits.ts";

/** Offsets into a text, in UTF-16 code units; `end` is after the last one. */
type Range = readonly [start: number, end: number];

/** A place where two texts differ, as a range in each. */
export interface Hunk {
  readonly before: Range;
  readonly after: Range;
}

/** A run of words that are in both lists (neither flag is set) or in only one of them. */
export interface WordRun {
  readonly count: number;
  /** Set for words of the second list. */
  readonly added: boolean;
  /** Set for words of the first list. */
  readonly removed: boolean;
}

/**
 * Compares two lists of words. Returns the runs of both lists in order, or `undefined` if more than `maxEdits` words
 * are in only one list. It may take time proportional to the number of words and to the square of `maxEdits`.
 */
export type CompareWords = (
  before: readonly string[],
  after: readonly string[],
  maxEdits: number,
) => readonly WordRun[] | undefined;

/** Matches a word, an escape in a JSON string, white space, or one other character. */
const TOKEN = /\\u[0-9a-f]{4}|\\[^u]|[\p{L}\p{N}\p{M}_-]{1,128}|\s+|[\s\S]/gu;
/** Matches a character with which a word or an escape in a JSON string can continue. */
const IN_WORD = /[\p{L}\p{N}\p{M}_\\-]/u;
/**
 * Text of up to this length between two hunks is shown as part of them, because it is no more than an article or a
 * comma.
 */
const SHORT_SAME = 4;

/** Compares the texts in one report, up to a limit on their total length. */
export class TextComparer {
  readonly #compareWords: CompareWords | undefined;
  readonly #known = new Map<string, Map<string, Hunk[]>>();
  #left = MAX_COMPARED_LENGTH;
  #stepsLeft = MAX_COMPARED_STEPS;

  constructor(compareWords: CompareWords | undefined) {
    this.#compareWords = compareWords;
  }

  /**
   * Returns the places where two texts differ, in order and at word boundaries; the text between two hunks is the same
   * in both. The result is one hunk if there is no function that compares words, or if too much differs.
   */
  diff(before: string, after: string): Hunk[] {
    const known = this.#known.get(before) ?? new Map<string, Hunk[]>();
    this.#known.set(before, known);
    const hunks = known.get(after) ?? this.#compare(before, after);
    known.set(after, hunks);
    return hunks;
  }

  #compare(before: string, after: string): Hunk[] {
    const [start, end] = commonEnds(before, after);
    const whole: Hunk = { before: [start, before.length - end], after: [start, after.length - end] };
    const length = before.length + after.length - 2 * (start + end);
    if (length === 0) return [];
    if (this.#compareWords === undefined || length > this.#left) return [whole];
    this.#left -= length;
    const words = [before.slice(...whole.before), after.slice(...whole.after)].map((text) => text.match(TOKEN) ?? []);
    const [wordsBefore = [], wordsAfter = []] = words;
    const maxEdits = Math.floor(Math.min(MAX_EDITS, Math.sqrt(this.#stepsLeft)));
    const runs = this.#compareWords(wordsBefore, wordsAfter, maxEdits);
    const edits = runs?.reduce((sum, { count, added, removed }) => sum + (added || removed ? count : 0), 0) ?? maxEdits;
    this.#stepsLeft -= edits ** 2;
    return runs === undefined ? [whole] : joinClose(hunksOf(runs, wordsBefore, wordsAfter, start));
  }
}

function hunksOf(
  runs: readonly WordRun[],
  wordsBefore: readonly string[],
  wordsAfter: readonly string[],
  start: number,
): Hunk[] {
  const hunks: Hunk[] = [];
  let [i, j, b, a] = [0, 0, start, start];
  for (const { count, added, removed } of runs) {
    const [b0, a0] = [b, a];
    if (!added) for (const end = i + count; i < end; i++) b += wordsBefore[i]?.length ?? 0;
    if (!removed) for (const end = j + count; j < end; j++) a += wordsAfter[j]?.length ?? 0;
    if (added || removed) hunks.push({ before: [b0, b], after: [a0, a] });
  }
  return hunks;
}

/** Joins hunks with almost nothing between them, so that a rewritten sentence is not shown in fragments. */
function joinClose(hunks: readonly Hunk[]): Hunk[] {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    if (last === undefined || hunk.before[0] - last.before[1] > SHORT_SAME) joined.push(hunk);
    else joined[joined.length - 1] = joinHunks(last, hunk);
  }
  return joined;
}

/** Returns one hunk from the beginning of the first hunk to the end of the second. */
export function joinHunks(first: Hunk, second: Hunk): Hunk {
  return { before: [first.before[0], second.before[1]], after: [first.after[0], second.after[1]] };
}

/** Returns how much two texts have in common at their beginning and at their end, up to a word boundary. */
function commonEnds(a: string, b: string): [start: number, end: number] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  if (start === a.length && start === b.length) return [start, 0];
  start = borderBack(a, b, start);
  let end = 0;
  while (end < shorter - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  return [start, borderAhead(a, b, end)];
}

/**
 * Returns the last word boundary at or before an index up to which the texts are the same, or in a long word the index
 * itself.
 */
function borderBack(a: string, b: string, index: number): number {
  const isBorder = (at: number): boolean =>
    at === 0 || !IN_WORD.test(a.charAt(at - 1)) || !(IN_WORD.test(a.charAt(at)) || IN_WORD.test(b.charAt(at)));
  for (let at = index; at >= 0 && index - at <= MAX_WORD_LENGTH; at--) {
    if (isBorder(at) && !splitsSurrogates(a, at)) return at;
  }
  return splitsSurrogates(a, index) ? index - 1 : index;
}

/** Returns the length of the common end from its first word boundary, or in a long word its complete length. */
function borderAhead(a: string, b: string, length: number): number {
  const isBorder = (end: number): boolean => {
    const [i, j] = [a.length - end, b.length - end];
    return end === 0 || !IN_WORD.test(a.charAt(i)) || !(isWordBefore(a, i) || isWordBefore(b, j));
  };
  for (let end = length; end >= 0 && length - end <= MAX_WORD_LENGTH; end--) {
    if (isBorder(end) && !splitsSurrogates(a, a.length - end)) return end;
  }
  return splitsSurrogates(a, a.length - length) ? length - 1 : length;
}

function isWordBefore(text: string, index: number): boolean {
  return index > 0 && IN_WORD.test(text.charAt(index - 1));
}
