import { type JsonValue, printable } from "@agentprint/canonical-json";

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member: `constructor` and `__proto__` are names like any other. */
export function member(value: unknown, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The own member of that name when it is an array, else an empty one. */
export function listOf(value: unknown, key: string): readonly JsonValue[] {
  const list = member(value, key);
  return Array.isArray(list) ? list : [];
}

/** A value of unknown origin as a message shows it: scalars in JSON, the rest by type. */
export function show(value: unknown): string {
  if (typeof value === "string") return printable(JSON.stringify(value), 80);
  return typeof value === "object" || typeof value === "undefined" ? typeName(value) : String(value);
}

/** The JSON type of a value. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
