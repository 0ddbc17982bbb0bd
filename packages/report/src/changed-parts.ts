import { type Hunk, joinHunks, type TextComparer } from "./compare-words.ts";
import { wordEnd, wordStart } from "./excerpt-text.ts";
import { MAX_WORD_LENGTH, MIN_LEFT_OUT } from "./limits.ts";

/** How much unchanged text to show around a difference. */
export interface Surroundings {
  /** Length of the text on each side of a difference, in UTF-16 code units. */
  readonly context: number;
  /** Texts up to this length are shown in full. */
  readonly short: number;
}

/** A shown part of two texts: a range of each, and the differences in it, if any. */
export interface ChangedPart extends Hunk {
  readonly hunks: readonly Hunk[];
}

/**
 * Returns the parts in which two texts differ, with the text around each difference, or both complete texts if they are
 * short.
 */
export function changedParts(
  before: string,
  after: string,
  comparer: TextComparer,
  { context, short }: Surroundings,
): ChangedPart[] {
  const whole: Hunk = { before: [0, before.length], after: [0, after.length] };
  const hunks = comparer.diff(before, after);
  // Two values may have the same JSON text, and then there is no difference to show.
  if (hunks.length === 0) return [{ ...whole, hunks: [whole] }];
  if (before.length <= short && after.length <= short) return [{ ...whole, hunks }];
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && hunk.before[0] - last.before[1] <= 2 * (context + MAX_WORD_LENGTH)) group.push(hunk);
    else groups.push([hunk]);
  }
  return groups.map((group) => withContext(group as [Hunk, ...Hunk[]], before, after, context));
}

/** Adds the text around differences. This text is the same on both sides, so its length is measured in `before`. */
function withContext(hunks: readonly [Hunk, ...Hunk[]], before: string, after: string, context: number): ChangedPart {
  const {
    before: [b0, b1],
    after: [a0, a1],
  } = joinHunks(hunks[0], hunks.at(-1) ?? hunks[0]);
  const start = wordStart(before, Math.max(0, b0 - context));
  const end = wordEnd(before, Math.min(before.length, b1 + context));
  const back = start > MIN_LEFT_OUT ? b0 - start : b0;
  const ahead = (before.length - end > MIN_LEFT_OUT ? end : before.length) - b1;
  return {
    before: [Math.max(0, b0 - back), Math.min(before.length, b1 + ahead)],
    after: [Math.max(0, a0 - back), Math.min(after.length, a1 + ahead)],
    hunks,
  };
}
