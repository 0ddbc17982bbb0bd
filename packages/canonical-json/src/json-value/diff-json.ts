import { checkArgument } from "../arguments/check-argument.ts";
import { compareCodeUnits } from "../text/compare-code-units.ts";
import { isJsonObject } from "./is-object.ts";
import { isSameJson } from "./is-same-json.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";
import { toPointer } from "./pointer.ts";

/** One difference between two JSON values. */
export interface JsonChange {
  /** RFC 6901 JSON Pointer of the value: in the old value if it is gone, otherwise in the new value. */
  readonly pointer: string;
  /** The value before; absent if there was none. */
  readonly before?: JsonValue;
  /** The value after; absent if there is none. */
  readonly after?: JsonValue;
}

/** Two array elements that are compared with each other, or an element of only one of the arrays. */
export interface ElementPair extends Omit<JsonChange, "pointer"> {
  /** Index of the element: in the old array if the element is gone, otherwise in the new array. */
  readonly index: number;
}

type PairElements = (before: readonly JsonValue[], after: readonly JsonValue[]) => readonly ElementPair[] | undefined;

/** How {@link diffJson} compares. */
export interface DiffJsonOptions {
  /** Report a new or removed object member by member instead of in one change. Default `false`. */
  readonly expandObjects?: boolean;
  /**
   * Returns the pairs of elements to compare in two arrays. For `undefined`, which is the default, {@link
   * pairByPosition} makes the pairs.
   */
  readonly pairElements?: PairElements;
}

/** Total length of all pointers in one comparison, in UTF-16 code units. */
const MAX_POINTERS_LENGTH = 1_048_576;
/**
 * The deepest level of arrays and objects whose contents are compared: any difference inside a value at this level is
 * reported as a change of that value.
 */
const MAX_DEPTH = 256;

/**
 * Returns the exact differences between two JSON values in a stable order. The list is empty if and only if the values
 * are the same according to {@link isSameJson}.
 *
 * Objects are compared member by member, in the code-unit order of their names, and arrays by the pairs from
 * `pairElements`. All differences inside a value are joined into one change of that value in two cases: the value lies
 * 256 levels deep, or its pointers would be too long. The pointers of one comparison have at most 1,048,576 UTF-16 code
 * units in total, because otherwise a name of a megabyte around ten thousand changes would occur in ten thousand
 * pointers.
 *
 * @param before - A JSON value; `undefined` if there was none.
 * @param after - A JSON value; `undefined` if there is none.
 * @param options - How arrays and one-sided objects are compared.
 * @returns The changes.
 * @example
 * ```ts
 * import { diffJson } from "@agentprint/canonical-json/json-value";
 *
 * diffJson({ a: 1, b: [1, 2] }, { b: [1, 3] });
 * // [{ pointer: "/a", before: 1 }, { pointer: "/b/1", before: 2, after: 3 }]
 * ```
 */
export function diffJson(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  options: DiffJsonOptions = {},
): JsonChange[] {
  const { expandObjects = false, pairElements = () => undefined } = options;
  const walk: Walk = { changes: [], pointersLeft: MAX_POINTERS_LENGTH, expandObjects, pairElements };
  collect(sides(before, after), "", 0, walk);
  return walk.changes;
}

/**
 * Skips the equal elements at the start and at the end of two arrays, and pairs the others by position.
 *
 * @example
 * ```ts
 * import { pairByPosition } from "@agentprint/canonical-json/json-value";
 *
 * pairByPosition(["a", "b", "c"], ["a", "c"]); // [{ index: 1, before: "b" }]
 * ```
 */
export function pairByPosition(before: readonly JsonValue[], after: readonly JsonValue[]): ElementPair[] {
  checkArgument("before", before, "array");
  checkArgument("after", after, "array");
  return byPosition(before, after);
}

/** Does the same without checking the arguments, so that programs that only compare values need not load the check. */
function byPosition(before: readonly JsonValue[], after: readonly JsonValue[]): ElementPair[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSameJson(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && isSameJson(before.at(-1 - end), after.at(-1 - end))) end++;
  const [beforeEnd, afterEnd] = [before.length - end, after.length - end];
  return Array.from({ length: Math.max(beforeEnd, afterEnd) - start }, (_, offset) => {
    const index = start + offset;
    return {
      index,
      ...sides(index < beforeEnd ? before[index] : undefined, index < afterEnd ? after[index] : undefined),
    };
  });
}

interface Walk extends Required<DiffJsonOptions> {
  readonly changes: JsonChange[];
  /**
   * How many UTF-16 code units are left for the pointers of further changes; negative after a pointer that was too
   * long.
   */
  pointersLeft: number;
}

type Sides = Omit<JsonChange, "pointer">;

function sides(before: JsonValue | undefined, after: JsonValue | undefined): Sides {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function collect(pair: Sides, pointer: string, depth: number, walk: Walk): void {
  const below = depth === MAX_DEPTH ? undefined : pairsBelow(pair, walk);
  if (below === undefined) {
    if (!isSameJson(pair.before, pair.after)) addChange(pair, pointer, walk);
    return;
  }
  const { length } = walk.changes;
  const { pointersLeft } = walk;
  for (const [segment, inner] of below) {
    collect(inner, pointer + toPointer([segment]), depth + 1, walk);
    if (walk.pointersLeft >= 0) continue;
    walk.changes.length = length;
    walk.pointersLeft = pointersLeft;
    addChange(pair, pointer, walk);
    return;
  }
}

function addChange(pair: Sides, pointer: string, walk: Walk): void {
  walk.pointersLeft -= pointer.length;
  walk.changes.push({ pointer, ...pair });
}

/** Returns the pairs inside two arrays or objects; `undefined` for values that are compared as units. */
function pairsBelow({ before, after }: Sides, walk: Walk): (readonly [string | number, Sides])[] | undefined {
  if (Array.isArray(before) && Array.isArray(after)) {
    const pairs = walk.pairElements(before, after) ?? byPosition(before, after);
    return pairs.map(({ index, ...pair }) => [index, pair]);
  }
  if (isJsonObject(before) && isJsonObject(after)) return memberPairs(before, after);
  const only = before === undefined ? after : after === undefined ? before : undefined;
  if (!walk.expandObjects || !isJsonObject(only) || Object.keys(only).length === 0) return undefined;
  return before === undefined ? memberPairs({}, only) : memberPairs(only, {});
}

function memberPairs(before: JsonObject, after: JsonObject): [string, Sides][] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .sort(compareCodeUnits)
    .map((name) => [
      name,
      sides(
        Object.hasOwn(before, name) ? before[name] : undefined,
        Object.hasOwn(after, name) ? after[name] : undefined,
      ),
    ]);
}
