import { type ElementPair, type JsonValue, pairByPosition } from "@agentprint/canonical-json";
import { checkArgument } from "./check-argument.ts";

/**
 * Pairs the elements of two arrays in schemas for a comparison. In lists of distinct scalars whose common elements keep
 * their order, as `required` and `enum` often are, the result has the elements that only one list has. Other arrays are
 * paired as by `pairByPosition`.
 *
 * @example
 * ```ts
 * import { pairElements } from "@agentprint/json-schema";
 *
 * pairElements(["a", "b"], ["b", "c"]); // [{ index: 0, before: "a" }, { index: 1, after: "c" }]
 * ```
 */
export function pairElements(before: readonly JsonValue[], after: readonly JsonValue[]): ElementPair[] {
  checkArgument("before", before, "array");
  checkArgument("after", after, "array");
  return pairScalars(before, after) ?? pairByPosition(before, after);
}

/**
 * A form of {@link pairElements} for `diffJson`, which itself pairs by position: returns `undefined` unless both arrays
 * are lists of distinct scalars whose common elements keep their order. Does not check its arguments.
 *
 * @example
 * ```ts
 * import { diffJson } from "@agentprint/canonical-json/json-value";
 * import { pairScalars } from "@agentprint/json-schema";
 *
 * diffJson(["a", "b"], ["b"], { pairElements: pairScalars }); // [{ pointer: "/0", before: "a" }]
 * ```
 */
export function pairScalars(before: readonly JsonValue[], after: readonly JsonValue[]): ElementPair[] | undefined {
  const [keysBefore, keysAfter] = [keysOf(before), keysOf(after)];
  if (keysBefore === undefined || keysAfter === undefined) return undefined;
  const common = [...keysBefore.keys()].filter((key) => keysAfter.has(key));
  const positions = common.map((key) => keysAfter.get(key) as number);
  if (positions.some((position, index) => index > 0 && position < (positions[index - 1] as number))) return undefined;
  const pairs = new Map<number, ElementPair>();
  for (const [key, index] of keysBefore) {
    if (!keysAfter.has(key)) pairs.set(index, { index, before: before[index] as JsonValue });
  }
  for (const [key, index] of keysAfter) {
    if (!keysBefore.has(key)) pairs.set(index, { index, ...pairs.get(index), after: after[index] as JsonValue });
  }
  return [...pairs.values()].sort((one, other) => one.index - other.index);
}

/**
 * Maps the JSON text of each scalar in a list to its position; returns `undefined` if an element is not a scalar or
 * occurs twice.
 */
function keysOf(list: readonly JsonValue[]): Map<string, number> | undefined {
  const keys = new Map<string, number>();
  for (const [index, element] of list.entries()) {
    if (typeof element === "object" && element !== null) return undefined;
    keys.set(JSON.stringify(element), index);
  }
  return keys.size === list.length ? keys : undefined;
}
