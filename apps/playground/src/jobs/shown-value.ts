import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import { sliceWithoutSplittingSurrogates } from "@agentprint/canonical-json/text";
import { type JsonHunk, jsonHunks } from "@agentprint/report/hunks";

/** The maximum number of UTF-16 code units of a value that are shown. */
const MAX_SHOWN = 2000;

/** Returns a value's canonical text, cut if it is long: only as text can a value of any depth leave the worker. */
export function shownValue(value: JsonValue): string {
  const text = canonicalize(value, { profile: "ecmascript" });
  return text.length > MAX_SHOWN ? `${sliceWithoutSplittingSurrogates(text, 0, MAX_SHOWN)}…` : text;
}

/** The values of both sides, as they are shown. */
export interface ShownSides {
  readonly before?: string;
  readonly after?: string;
}

/** The sides of a change: the lines in which the two sides differ, or the value if there is only one side. */
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
