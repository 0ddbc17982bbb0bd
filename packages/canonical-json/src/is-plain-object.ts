import { hasPlainPrototype, hidesBesideMembers, isBrandedEmpty, isOrdinary } from "./writer/hidden-content.ts";

/**
 * Returns whether a value is a plain object: its prototype is null or the `Object.prototype` of any realm, and it is
 * not a Map, Date, Error or similar object that was given such a prototype. A plain object consists only of its
 * members.
 *
 * @example
 * ```ts
 * import { isPlainObject } from "@agentprint/canonical-json";
 *
 * console.log(isPlainObject({}), isPlainObject(Object.create(null))); // true true
 * console.log(isPlainObject([]), isPlainObject(Object.setPrototypeOf(new Map(), null))); // false false
 * ```
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !hasPlainPrototype(value)) return false;
  if (Object.keys(value).length === 0) return !isBrandedEmpty(value);
  return isOrdinary(value) || !hidesBesideMembers(value);
}
