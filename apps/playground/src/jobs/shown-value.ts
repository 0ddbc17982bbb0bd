import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import { sliceWithoutSplittingSurrogates } from "@agentprint/canonical-json/text";
import { type JsonHunk, jsonHunks } from "@agentprint/report/hunks";

/** The most UTF-16 units of a value that are shown. */
const MAX_SHOWN = 2000;

/** Returns the canonical text of a value, cut if it is long: a value of any depth can leave the worker only as a text. */
export function shownValue(value: JsonValue): string {
  const text = canonicalize(value, { profile: "ecmascript" });
  return text.length > MAX_SHOWN ? `${sliceWithoutSplittingSurrogates(text, 0, MAX_SHOWN)}…` : text;
}

/** The values of two sides, as they are shown. */
export interface ShownSides {
  readonly before?: string;
  readonly after?: string;
}

/** The sides of a change: the lines in which both differ, or the value of the only side. */
export interface ChangedSides extends ShownSides {
  readonly hunks?: readonly JsonHunk[];
}

interface Sides {
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** Returns both values as they are shown; a missing value stays absent. */
export function shownSides({ before, after }: Sides): ShownSides {
  return {
    ...(before !== undefined && { before: shownValue(before) }),
    ...(after !== undefined && { after: shownValue(after) }),
  };
}

/** Returns the sides of a change as they are shown. */
export function changedSides(sides: Sides): ChangedSides {
  const { before, after } = sides;
  if (before !== undefined && after !== undefined) return { hunks: jsonHunks(before, after) };
  return shownSides(sides);
}
