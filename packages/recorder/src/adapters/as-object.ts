import { isObject } from "@agentprint/canonical-json/json-value";

/** Returns a value from another library as an object; an empty object if the value is not one. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
