import type { JsonObject } from "./json-value.ts";

/**
 * Returns whether a value is an object and neither `null` nor an array. Its members are not read.
 *
 * @example
 * ```ts
 * import { isObject } from "@agentprint/canonical-json/json-value";
 *
 * console.log(isObject({}), isObject([]), isObject(null)); // true false false
 * ```
 */
export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns whether a value that is known to be JSON, or absent, is a JSON object. The check is the same as
 * {@link isObject}'s: the function does not read the members, so any other object would also pass.
 *
 * @example
 * ```ts
 * import { isJsonObject } from "@agentprint/canonical-json/json-value";
 *
 * console.log(isJsonObject(JSON.parse("{}")), isJsonObject(JSON.parse("[]"))); // true false
 * ```
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}
