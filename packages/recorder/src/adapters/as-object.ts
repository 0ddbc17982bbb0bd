import { isObject } from "@agentprint/canonical-json/json-value";

/** A value of another library as an object; an empty one where it is none. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
