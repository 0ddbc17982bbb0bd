import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import { sliceWithoutSplittingSurrogates } from "@agentprint/canonical-json/text";
import { type JsonHunk, jsonHunks } from "@agentprint/report/hunks";

/** UTF-16 units of a value that is shown. */
const MAX_SHOWN = 2000;

/** The canonical text of a value, cut if it is long: a value of any depth can leave the worker as a text only. */
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

/** Both values as they are shown; absent if there is none. */
export function shownSides({ before, after }: Sides): ShownSides {
  return {
    ...(before !== undefined && { before: shownValue(before) }),
    ...(after !== undefined && { after: shownValue(after) }),
  };
}

/** The sides of a change as they are shown. */
export function changedSides(sides: Sides): ChangedSides {
  const { before, after } = sides;
  if (before !== undefined && after !== undefined) return { hunks: jsonHunks(before, after) };
  return shownSides(sides);
}
