import { isJsonObject } from "../json-value/is-object.ts";
import type { JsonValue } from "../json-value/json-value.ts";
import { MAX_RECURSION_DEPTH } from "./recursion.ts";

/**
 * Returns whether two values are the same, by recursion if they lie less than `MAX_RECURSION_DEPTH` levels deep. The
 * plain code for deeper values keeps its own stack and looks up every member of both objects instead of enumerating
 * one.
 *
 * Improves the benchmark of a first listing in the guard, which takes 1.9 times as long as `JSON.parse` instead of 2.1
 * times (bar 2.5).
 */
export function isSameByRecursion(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  depth: number,
  isSameDeeper: (a: JsonValue, b: JsonValue) => boolean,
): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (depth === MAX_RECURSION_DEPTH) return isSameDeeper(a, b);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!isSameByRecursion(a[i], b[i], depth + 1, isSameDeeper)) return false;
    return true;
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const others = Object.keys(b);
  let members = 0;
  for (const name in a) {
    // The members are usually in the same order.
    if (name !== others[members++] && !Object.hasOwn(b, name)) return false;
    if (!isSameByRecursion(a[name], b[name], depth + 1, isSameDeeper)) return false;
  }
  return members === others.length;
}
