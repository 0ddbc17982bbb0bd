import { isSameByRecursion } from "../accelerators/same-by-recursion.ts";
import { isJsonObject } from "./is-object.ts";
import type { JsonValue } from "./json-value.ts";

/**
 * Returns whether two JSON values have the same canonical text. The order of an object's members does not matter, and
 * numbers are compared by value: `1` and `1.0` are the same, and so are `0` and `-0`. Nesting never overflows the call
 * stack.
 *
 * @param a - A JSON value. For an object that is not JSON, only enumerable members are compared.
 * @param b - Another JSON value.
 * @returns `true` if they are the same.
 * @example
 * ```ts
 * import { isSameJson } from "@agentprint/canonical-json/json-value";
 *
 * console.log(isSameJson({ a: 1, b: [2] }, { b: [2], a: 1 })); // true
 * console.log(isSameJson([1, 2], [2, 1])); // false
 * ```
 */
export function isSameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  // The recursion would also compare members added to Object.prototype.
  for (const _ in Object.prototype) return isSameByStack(a, b);
  return isSameByRecursion(a, b, 0, isSameByStack);
}

/** Like {@link isSameJson}, but without recursion. */
export function isSameByStack(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  /** The pairs that still have to be compared; the two values of a pair are adjacent. */
  const pending = [a, b];
  while (pending.length > 0) {
    const after = pending.pop();
    const before = pending.pop();
    if (before !== after && !hasSameShape(before, after, pending)) return false;
  }
  return true;
}

/**
 * Returns whether two values are arrays of the same length or objects with the same names, and adds the pairs inside
 * them to `pending`.
 */
function hasSameShape(a: JsonValue | undefined, b: JsonValue | undefined, pending: (JsonValue | undefined)[]): boolean {
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) pending.push(a[index], b[index]);
    return true;
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(b, name)) return false;
    pending.push(a[name], b[name]);
  }
  return true;
}
