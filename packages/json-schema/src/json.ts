import type { JsonValue } from "@agentprint/canonical-json";

/** A JSON object of unknown origin. */
export type JsonObject = { readonly [key: string]: JsonValue };

/**
 * Whether a JSON value is an object: neither null nor an array.
 *
 * @example
 * ```ts
 * import { isObject } from "@agentprint/json-schema";
 *
 * console.log(isObject({}), isObject([]), isObject(null)); // true false false
 * ```
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The own member of an object under a name: `constructor` and `__proto__` are names like any other.
 *
 * @example
 * ```ts
 * import { member } from "@agentprint/json-schema";
 *
 * console.log(member({ type: "string" }, "type"), member({}, "constructor")); // string undefined
 * ```
 */
export function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
