import { type JsonValue, toPointer } from "@agentprint/canonical-json";
import { byCodeUnits, isObject } from "../json-object.ts";
import type { JsonObject } from "../visit/snapshot.ts";

/** One difference of two JSON values. */
export interface ValueChange {
  /** RFC 6901 JSON Pointer: into the old value when something is gone, into the new value when something is new. */
  readonly pointer: string;
  /** The old value; absent when there was none. */
  readonly before?: JsonValue;
  /** The new value; absent when there is none. */
  readonly after?: JsonValue;
}

/** Total length of the pointers of one comparison, in UTF-16 code units. */
const MAX_POINTERS = 1024 * 1024;

/** How {@link diffValues} tells differences. */
export interface DiffOptions {
  /** Tell an object that is new or gone member by member instead of as one. Default `false`. */
  readonly expandObjects?: boolean;
}

/**
 * The differences of two JSON values, exact and in a stable order.
 *
 * Objects are compared member by member in code-unit order of their names. Arrays are compared without the elements
 * that they begin and end with in common; what is left is compared by position. Numbers are compared by value, so
 * `1` and `1.0` are the same, and so are `0` and `-0`. Where pointers would grow out of proportion to the values
 * (names of a megabyte, ten thousand changes), the differences below that point are told as one.
 */
export function diffValues(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  options: DiffOptions = {},
): ValueChange[] {
  const walk: Walk = { changes: [], pointersLeft: MAX_POINTERS, expandObjects: options.expandObjects ?? false };
  collect({ ...(before !== undefined && { before }), ...(after !== undefined && { after }) }, "", walk);
  return walk.changes;
}

/** Whether two JSON values are equal as JSON. */
function equalValues(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalValues(item, b[index] ?? null));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equalValues(a[key] ?? null, b[key] ?? null))
  );
}

interface Walk {
  readonly changes: ValueChange[];
  pointersLeft: number;
  readonly expandObjects: boolean;
}

interface Pair {
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

function collect(pair: Pair, pointer: string, walk: Walk): void {
  const below = pairsBelow(pair, walk.expandObjects);
  if (below === undefined) {
    const { before, after } = pair;
    if (before === after || (before !== undefined && after !== undefined && equalValues(before, after))) return;
    addChange(pair, pointer, walk);
    return;
  }
  const { length } = walk.changes;
  const { pointersLeft } = walk;
  for (const [key, inner] of below) {
    collect(inner, pointer + toPointer([key]), walk);
    if (walk.pointersLeft >= 0) continue;
    walk.changes.length = length;
    walk.pointersLeft = pointersLeft;
    addChange(pair, pointer, walk);
    return;
  }
}

function addChange(pair: Pair, pointer: string, walk: Walk): void {
  walk.pointersLeft -= pointer.length;
  walk.changes.push({ pointer, ...pair });
}

function pairsBelow({ before, after }: Pair, expandObjects: boolean): [string | number, Pair][] | undefined {
  if (Array.isArray(before) && Array.isArray(after)) return elementPairs(before, after);
  if (isObject(before) && isObject(after)) return memberPairs(before, after);
  if (expandObjects && (before === undefined || after === undefined)) {
    const only = before ?? after;
    if (isObject(only) && Object.keys(only).length > 0) return memberPairs(before ? only : {}, before ? {} : only);
  }
  return undefined;
}

function memberPairs(before: JsonObject, after: JsonObject): [string, Pair][] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(byCodeUnits);
  return names.map((name) => [
    name,
    {
      ...(Object.hasOwn(before, name) && { before: before[name] ?? null }),
      ...(Object.hasOwn(after, name) && { after: after[name] ?? null }),
    },
  ]);
}

function elementPairs(before: JsonValue[], after: JsonValue[]): [number, Pair][] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && equalAt(before, start, after, start)) start++;
  let end = 0;
  while (end < shorter - start && equalAt(before, before.length - 1 - end, after, after.length - 1 - end)) end++;
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  return Array.from({ length: Math.max(old.length, now.length) }, (_, index) => [
    start + index,
    {
      ...(index < old.length && { before: old[index] ?? null }),
      ...(index < now.length && { after: now[index] ?? null }),
    },
  ]);
}

function equalAt(a: JsonValue[], i: number, b: JsonValue[], j: number): boolean {
  return equalValues(a[i] ?? null, b[j] ?? null);
}
