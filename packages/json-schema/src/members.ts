import type { JsonValue } from "@agentprint/canonical-json";

/**
 * Returns whether a test holds for any member of any object in a JSON value, at any depth. This function does not
 * distinguish schemas from data. It is a fast check before slower work that only some documents need.
 *
 * @example
 * ```ts
 * import { someMember } from "@agentprint/json-schema";
 *
 * const schema = { properties: { a: { $ref: "#" } } };
 * console.log(someMember(schema, (name) => name === "$ref")); // true
 * ```
 */
export function someMember(root: JsonValue, test: (name: string, value: JsonValue) => boolean): boolean {
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) open.push(item);
      continue;
    }
    for (const name of Object.keys(value)) {
      const item = (value as { readonly [name: string]: JsonValue })[name] as JsonValue;
      if (test(name, item)) return true;
      open.push(item);
    }
  }
  return false;
}
