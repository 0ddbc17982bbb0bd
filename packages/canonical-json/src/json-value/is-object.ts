import type { JsonObject } from "./json-value.ts";

/**
 * Whether a value is an object and neither `null` nor an array. Nothing is known of its members.
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
 * Whether a value that is JSON, or absent, is a JSON object. Makes the same check as {@link isObject}; that the members
 * are JSON follows from where the value comes from, not from this function.
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
