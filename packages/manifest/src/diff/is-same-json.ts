import type { JsonValue } from "@agentprint/canonical-json";
import { isObject } from "../json.ts";

/**
 * Whether two values are the same JSON, whatever the order of their keys: then their canonical texts are the same too.
 * Says no to anything beyond plain JSON, such as a member that is `undefined`.
 */
export function isSameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameJson(item, b[index]));
  }
  if (!isObject(a)) return a === b && a !== undefined;
  if (!isObject(b) || !isPlain(a) || !isPlain(b)) return false;
  const [names, others] = [Object.keys(a), Object.keys(b)];
  if (names.length !== others.length) return false;
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    // Keys mostly come in the same order, and then need not be looked up.
    if (name !== others[index] && !Object.hasOwn(b, name)) return false;
    if (!isSameJson(a[name], b[name])) return false;
  }
  return true;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
