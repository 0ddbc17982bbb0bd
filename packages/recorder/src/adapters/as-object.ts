import { isObject } from "@agentprint/canonical-json/json-value";

/** Returns a value of another library as an object; an empty one if it is not an object. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
