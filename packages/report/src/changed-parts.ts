import { diffTexts, type Range } from "./diff-texts.ts";
import { wordEnd, wordStart } from "./excerpt-text.ts";
import { MAX_WORD_LENGTH } from "./limits.ts";

/** Length of the common text that is shown around a difference, in UTF-16 code units. */
const CONTEXT = 40;
/** Texts up to this length are shown whole. */
const SHORT = 200;

/** A part of two texts with at least one difference, which is shown. */
export interface ChangedPart {
  readonly before: Range;
  readonly after: Range;
}

/** The parts in which two texts differ, with the text around each difference; all of both texts where they are short. */
export function changedParts(before: string, after: string, maxLength: number): ChangedPart[] {
  const whole = { before: [0, before.length], after: [0, after.length] } as const;
  if (before.length <= SHORT && after.length <= SHORT) return [whole];
  const groups: ChangedPart[] = [];
  for (const hunk of diffTexts(before, after, maxLength)) {
    const last = groups.at(-1);
    if (last === undefined || hunk.before[0] - last.before[1] > 2 * (CONTEXT + MAX_WORD_LENGTH)) groups.push(hunk);
    else groups[groups.length - 1] = join(last, hunk);
  }
  // Two values can have one JSON text, in which there is no difference to show.
  return groups.length === 0 ? [whole] : groups.map((group) => withContext(group, before, after));
}

function join(first: ChangedPart, second: ChangedPart): ChangedPart {
  return { before: [first.before[0], second.before[1]], after: [first.after[0], second.after[1]] };
}

/** Adds the text around a difference. It is the same in both texts, so that its length is measured in `before`. */
function withContext({ before: [b0, b1], after: [a0, a1] }: ChangedPart, before: string, after: string): ChangedPart {
  const back = b0 - wordStart(before, Math.max(0, b0 - CONTEXT));
  const ahead = wordEnd(before, Math.min(before.length, b1 + CONTEXT)) - b1;
  return {
    before: [Math.max(0, b0 - back), Math.min(before.length, b1 + ahead)],
    after: [Math.max(0, a0 - back), Math.min(after.length, a1 + ahead)],
  };
}
