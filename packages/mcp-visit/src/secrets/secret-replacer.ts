import type { JsonValue } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { MAX_CUTS, MAX_ESCAPE_LENGTH } from "../limits.ts";
import { type FoundValue, ValueFinder } from "./find-values.ts";
import type { KnownValue } from "./known-value.ts";

/** Replaces known values in texts with their names. */
export interface SecretReplacer {
  /**
   * Returns a text with `‹value of NAME›` instead of each value in any encoding; the same text if it contains no value.
   *
   * @param cut - `at-start` if the text is the end of a longer one; the end of a value at its beginning is then also
   * replaced.
   */
  replace(text: string, cut?: "at-start"): string;
  /**
   * Returns a value that consists of JSON and possibly `undefined`, with the known values replaced in every string and
   * member name.
   */
  replaceIn<T>(value: T): T;
  /** Replaces values in a text that arrives in pieces; a value can begin in one piece and end in another. */
  stream(): SecretStream;
}

/** A text that arrives in pieces. */
export interface SecretStream {
  /** Adds a piece, and returns the text that can be shown now. */
  write(piece: string): string;
  /** Returns the rest of the text. */
  end(): string;
}

/**
 * The minimum length at which a part of a cut value is replaced, in UTF-16 code units: a shorter part occurs in many
 * texts by chance.
 */
const MIN_PART_LENGTH = 6;
const CUT = "…";

/**
 * Returns a replacer for those of the given values that have at least eight characters, or are shorter but have the
 * name of a secret. The password in a URL is a separate value, and so is the part of a header after its scheme.
 *
 * @example
 * ```ts
 * import { createSecretReplacer } from "@agentprint/mcp-visit";
 *
 * const { replace } = createSecretReplacer([{ name: "API_TOKEN", value: "hunter2" }]);
 * replace("refused: token=%68unter2"); // "refused: token=‹value of API_TOKEN›"
 * ```
 */
export function createSecretReplacer(known: readonly KnownValue[]): SecretReplacer {
  checkArgument("known", known, ["object"]);
  const finder = new ValueFinder(known);
  const replace = (text: string, cut?: "at-start"): string =>
    replaceRanges(text, [...finder.find(text), ...findParts(text, finder.values, cut)]);
  return { replace, replaceIn: (value) => replaceIn(value, replace), stream: () => createStream(finder, replace) };
}

function replaceRanges(text: string, found: readonly FoundValue[]): string {
  if (found.length === 0) return text;
  let written = "";
  let shown = 0;
  for (const { start, end, value } of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= shown) continue;
    written += `${text.slice(shown, Math.max(shown, start))}‹value of ${value.name}›`;
    shown = end;
  }
  return written + text.slice(shown);
}

/** Returns the occurrences of beginnings and ends of values at the places where a text was cut. */
function findParts(text: string, values: readonly KnownValue[], cut: "at-start" | undefined): FoundValue[] {
  const found: FoundValue[] = [];
  const cuts = cut ? [-1] : [];
  for (let at = text.indexOf(CUT); at !== -1 && cuts.length < MAX_CUTS; at = text.indexOf(CUT, at + 1)) cuts.push(at);
  for (const at of cuts) {
    for (const value of values) {
      const shortest = Math.max(MIN_PART_LENGTH, value.value.length / 4);
      const before = at < 0 ? 0 : overlap(text.slice(Math.max(0, at - value.value.length), at), value.value);
      if (before >= shortest) found.push({ start: at - before, end: at, value });
      const behind = overlap(value.value, text.slice(at + 1, at + 1 + value.value.length));
      if (behind >= shortest) found.push({ start: at + 1, end: at + 1 + behind, value });
    }
  }
  return found;
}

/**
 * Returns how many characters at the end of one text are also at the beginning of another (Knuth, Morris and Pratt).
 */
function overlap(end: string, beginning: string): number {
  const borders: number[] = [0];
  const step = (matched: number, unit: string | undefined): number => {
    let length = matched;
    while (length > 0 && (length === beginning.length || beginning[length] !== unit)) length = borders[length - 1] ?? 0;
    return beginning[length] === unit ? length + 1 : length;
  };
  for (let index = 1; index < beginning.length; index++) borders.push(step(borders[index - 1] ?? 0, beginning[index]));
  let matched = 0;
  for (let index = 0; index < end.length; index++) matched = step(matched, end[index]);
  return matched;
}

function replaceIn<T>(value: T, replace: (text: string) => string): T {
  return replaceInJson(value as JsonValue, replace) as T;
}

function replaceInJson(value: JsonValue, replace: (text: string) => string): JsonValue {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return value.map((item) => replaceInJson(item, replace));
  if (typeof value !== "object" || value === null) return value;
  const taken = new Set<string>();
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      let replaced = replace(name);
      while (taken.has(replaced)) replaced += "'";
      taken.add(replaced);
      return [replaced, replaceInJson(member, replace)];
    }),
  );
}

function createStream(finder: ValueFinder, replace: (text: string) => string): SecretStream {
  const longest = Math.max(0, ...finder.values.map(({ value }) => value.length));
  const held = longest * MAX_ESCAPE_LENGTH;
  let pending = "";
  return {
    write: (piece) => {
      if (longest === 0) return piece;
      pending += piece;
      if (pending.length <= 2 * held) return "";
      let cut = pending.length - held;
      for (const { start, end } of finder.find(pending)) if (start < cut && end > cut) cut = start;
      const shown = replace(pending.slice(0, cut));
      pending = pending.slice(cut);
      return shown;
    },
    end: () => {
      const shown = replace(pending);
      pending = "";
      return shown;
    },
  };
}
