import { MAX_ANCHOR_ROUNDS } from "./limits.ts";

/** Offsets into a text, in UTF-16 code units; `end` is behind the last one. */
export type Range = readonly [start: number, end: number];

/** A place where two texts differ, as a range of each. */
export interface Hunk {
  readonly before: Range;
  readonly after: Range;
}

/** A word of a text, an escape of a JSON string, white space, or one other character. */
const TOKEN = /\\u[0-9a-f]{4}|\\[^u]|[\p{L}\p{N}\p{M}_-]{1,128}|\s+|[\s\S]/gu;

/**
 * The places where two texts differ, in their order; the text between two hunks is the same in both.
 *
 * This is a patience diff over words: words that each text has once and both texts have in the same order are anchors,
 * and the text between two anchors is compared in the same way. Time is `n log n` of the part that differs, for any
 * texts. A part of more than `maxLength` code units of both texts is returned as one hunk.
 */
export function diffTexts(before: string, after: string, maxLength: number): Hunk[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const [partBefore, partAfter] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (partBefore.length + partAfter.length > maxLength) {
    return [{ before: [start, before.length - end], after: [start, after.length - end] }];
  }
  const hunks: Hunk[] = [];
  const sides = { before: tokensOf(partBefore, start), after: tokensOf(partAfter, start) };
  collect(sides, [0, sides.before.texts.length], [0, sides.after.texts.length], MAX_ANCHOR_ROUNDS, hunks);
  return hunks;
}

interface Tokens {
  readonly texts: readonly string[];
  /** The offset of each token in the whole text, and the end of the last one. */
  readonly offsets: readonly number[];
}

interface Sides {
  readonly before: Tokens;
  readonly after: Tokens;
}

function tokensOf(text: string, start: number): Tokens {
  const texts = text.match(TOKEN) ?? [];
  const offsets = [start];
  let offset = start;
  for (const token of texts) {
    offset += token.length;
    offsets.push(offset);
  }
  return { texts, offsets };
}

function collect(sides: Sides, [a0, a1]: Range, [b0, b1]: Range, depth: number, hunks: Hunk[]): void {
  const { before: a, after: b } = sides;
  while (a0 < a1 && b0 < b1 && a.texts[a0] === b.texts[b0]) [a0, b0] = [a0 + 1, b0 + 1];
  while (a0 < a1 && b0 < b1 && a.texts[a1 - 1] === b.texts[b1 - 1]) [a1, b1] = [a1 - 1, b1 - 1];
  if (a0 === a1 && b0 === b1) return;
  const anchors = depth === 0 || a0 === a1 || b0 === b1 ? [] : findAnchors(sides, [a0, a1], [b0, b1]);
  if (anchors.length === 0) {
    hunks.push({ before: rangeOf(a, a0, a1), after: rangeOf(b, b0, b1) });
    return;
  }
  for (const [i, j] of [...anchors, [a1, b1] as const]) {
    collect(sides, [a0, i], [b0, j], depth - 1, hunks);
    [a0, b0] = [i, j];
  }
}

function rangeOf({ offsets }: Tokens, from: number, to: number): Range {
  return [offsets[from] as number, offsets[to] as number];
}

/** Tokens that each side has once, as pairs of their indices: the longest list whose indices grow on both sides. */
function findAnchors({ before, after }: Sides, a: Range, b: Range): Range[] {
  const inAfter = indicesOfUnique(after.texts, b);
  const pairs: Range[] = [];
  for (const [token, index] of indicesOfUnique(before.texts, a)) {
    const other = inAfter.get(token);
    if (other !== undefined) pairs.push([index, other]);
  }
  return longestGrowing(pairs.sort(([i], [j]) => i - j));
}

function indicesOfUnique(texts: readonly string[], [from, to]: Range): Map<string, number> {
  const indices = new Map<string, number>();
  const repeated = new Set<string>();
  for (let index = from; index < to; index++) {
    const token = texts[index] as string;
    if (indices.has(token)) repeated.add(token);
    else indices.set(token, index);
  }
  for (const token of repeated) indices.delete(token);
  return indices;
}

interface GrowingList {
  readonly pair: Range;
  readonly rest: GrowingList | undefined;
}

/** The longest list of pairs, in their order, whose second numbers grow. */
function longestGrowing(pairs: readonly Range[]): Range[] {
  // For each length: of the lists found so far, the one whose last pair has the smallest second number.
  const best: GrowingList[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, best.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((best[middle] as GrowingList).pair[1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    best[low] = { pair, rest: best[low - 1] };
  }
  const list: Range[] = [];
  for (let last = best.at(-1); last !== undefined; last = last.rest) list.push(last.pair);
  return list.reverse();
}

function commonStart(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let length = 0;
  while (length < shorter && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

function commonEnd(a: string, b: string, start: number): number {
  const shorter = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < shorter && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  return length;
}
