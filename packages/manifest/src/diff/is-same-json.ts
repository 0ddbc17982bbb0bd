import type { JsonValue } from "@agentprint/canonical-json";
import { isObject } from "../json.ts";

/** Whether two JSON values are the same, whatever the order of the members of an object. */
export function isSameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameJson(a[name], b[name]))
  );
}
