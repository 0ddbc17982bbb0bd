/**
 * What a message calls the type of a value: `"null"`, `"array"` or what `typeof` says.
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
