import { isSameByRecursion } from "../accelerators/same-by-recursion.ts";
import { isJsonObject } from "./is-object.ts";
import type { JsonValue } from "./json-value.ts";

/**
 * Whether two JSON values have the same canonical text. The order of the members of an object does not matter, and numbers
 * are compared by value: `1` and `1.0` are the same, and so are `0` and `-0`. No depth of nesting overflows
 * the call stack.
 *
 * @param a - A JSON value. Of an object that is no JSON, only enumerable members are compared.
 * @param b - Another one.
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
  // The recursion would also compare what was put on Object.prototype.
  for (const _ in Object.prototype) return isSameByStack(a, b);
  return isSameByRecursion(a, b, 0, isSameByStack);
}

/** As {@link isSameJson}, without recursion. */
export function isSameByStack(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  /** What is still to be compared: the two containers of a pair follow each other. */
  const pending: Compared[] = [];
  let isSame = isSameSoFar(a, b, pending);
  while (isSame && pending.length > 0) {
    const after = pending.pop();
    const before = pending.pop();
    isSame = hasSameShape(before, after, pending);
  }
  return isSame;
}

type Compared = JsonValue | undefined;

/** Whether two values are the same, or may be: two containers that are not one are added to `pending`. */
function isSameSoFar(a: Compared, b: Compared, pending: Compared[]): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  pending.push(a, b);
  return true;
}

/** Whether two values are arrays of one length or objects with the same names, with values that are the same so far. */
function hasSameShape(a: Compared, b: Compared, pending: Compared[]): boolean {
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!isSameSoFar(a[index], b[index], pending)) return false;
    return true;
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  const others = Object.keys(b);
  if (names.length !== others.length) return false;
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    // Mostly the members are in one order.
    if (name !== others[index] && !Object.hasOwn(b, name)) return false;
    if (!isSameSoFar(a[name], b[name], pending)) return false;
  }
  return true;
}
