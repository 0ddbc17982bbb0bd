/**
 * Returns the name of a value's type for messages: `"null"`, `"array"` or the result of `typeof`.
 *
 * @example
 * ```ts
 * import { typeName } from "@agentprint/canonical-json/json-value";
 *
 * console.log(typeName(null), typeName([]), typeName({}), typeName(1)); // null array object number
 * ```
 */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
