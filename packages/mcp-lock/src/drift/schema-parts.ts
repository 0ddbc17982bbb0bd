import { canonicalize, isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import type { Place } from "@agentprint/json-schema";
import { groupEntries } from "../group-entries.ts";
import type { ReachReader } from "./schema-reach.ts";

/** Keywords with alternative schemas; one of them applies. */
export const CHOICES = ["anyOf", "oneOf"] as const;
/** Keywords whose schemas apply together with the keywords next to them. */
export const TOGETHER = ["allOf", "then", "else", "dependentSchemas"] as const;

/** Keywords that hold schemas by name. */
export const NAMED = ["properties", "patternProperties"] as const;

/** The maximum number of parts that are read per place. */
const MAX_PARTS = 256;
/** The maximum depth of nested choices that are read for their values. */
const MAX_NESTED_CHOICES = 64;

/** Returns places and the places under some of their keywords, at any depth. */
export function partsOf(reader: ReachReader, places: readonly Place[], keywords: readonly string[]): Place[] {
  const parts: Place[] = [];
  const seen = new Set<string>();
  const open = [...places];
  for (let next = open.shift(); next !== undefined && parts.length < MAX_PARTS; next = open.shift()) {
    const place = reader.resolved(next);
    if (place === undefined || seen.has(place.pointer)) continue;
    seen.add(place.pointer);
    parts.push(place);
    open.push(...keywords.flatMap((keyword) => reader.below(place, keyword).map(([, each]) => each)));
  }
  return parts;
}

/** Returns the place without one of its parts, which leaves whatever applies in addition to that part. */
export function without(place: Place, keyword: string, part?: Place): Place {
  const { [keyword]: parts, ...rest } = membersOf(place.value);
  const others = part && Array.isArray(parts) ? parts.filter((each) => each !== part.value) : [];
  return { ...place, value: { ...rest, ...(others.length > 0 && { [keyword]: others }) } };
}

/**
 * Returns the canonical texts of the values that a place lists, in any notation; `undefined` if the place accepts other
 * values.
 *
 * @param known The values of the places that were already read, by pointer.
 */
export function valuesOf(
  reader: ReachReader,
  place: Place,
  known: Map<string, ReadonlySet<string> | undefined> = new Map(),
  depth = 0,
): ReadonlySet<string> | undefined {
  const at = reader.resolved(place);
  if (at === undefined || depth > MAX_NESTED_CHOICES) return undefined;
  if (known.has(at.pointer)) return known.get(at.pointer);
  known.set(at.pointer, undefined);
  const under = (keyword: string) =>
    reader.below(at, keyword).map(([, each]) => valuesOf(reader, each, known, depth + 1));
  const values =
    ownValues(membersOf(at.value)) ??
    under("allOf").find((each) => each !== undefined) ??
    union(CHOICES.flatMap(under));
  known.set(at.pointer, values);
  return values;
}

function ownValues({ const: one, enum: several, type }: JsonObject): ReadonlySet<string> | undefined {
  if (one !== undefined) return new Set([canonicalize(one)]);
  if (Array.isArray(several)) return new Set(several.map((value) => canonicalize(value)));
  return type === "null" ? new Set(["null"]) : undefined;
}

/** Returns the values of all lists; `undefined` if there are no lists, or if one of them accepts other values. */
export function union(lists: readonly (ReadonlySet<string> | undefined)[]): ReadonlySet<string> | undefined {
  const all = lists.flatMap((list) => list ?? []);
  return all.length === 0 || all.length < lists.length ? undefined : new Set(all.flatMap((list) => [...list]));
}

/** Returns the keywords of a schema; none for `true` and `false`. */
export function membersOf(schema: JsonValue): JsonObject {
  return isJsonObject(schema) ? schema : {};
}

/** Returns whether a place has alternative schemas that do not all apply. */
export function hasChoices({ value }: Place): boolean {
  return CHOICES.some((keyword) => keyword in membersOf(value));
}

/** Returns the places under a keyword of the given places, by name. */
export function placesByName(reader: ReachReader, places: readonly Place[], keyword: string): Map<string, Place[]> {
  return groupEntries(places.flatMap((each) => reader.below(each, keyword)));
}

/** Returns the places under a keyword of the given places, by canonical text. */
export function partsByText(reader: ReachReader, places: readonly Place[], keyword: string): Map<string, Place> {
  const parts = places.flatMap((place) => reader.below(place, keyword));
  return new Map(parts.map(([, part]) => [canonicalize(part.value), part]));
}
