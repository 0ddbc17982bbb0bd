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
 * Returns whether a value that is known to be JSON or absent is a JSON object. It makes the same check as {@link
 * isObject} and does not read the members, so any other object would pass too.
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
