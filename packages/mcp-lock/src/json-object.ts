import type { JsonValue } from "@agentprint/canonical-json";
import type { JsonObject } from "./visit/snapshot.ts";

/** Whether a value is a JSON object: not `null`, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets an own property whatever its name, `__proto__` included. */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  } else object[key] = value;
}

/** Compares two strings by UTF-16 code units, the order of everything in a lock file. */
export function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
