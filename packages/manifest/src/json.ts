import { type JsonValue, printable } from "@agentprint/canonical-json";
import { MAX_SHOWN_UNITS } from "./limits.ts";

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

/** Whether anything in a value is under one of these names. Recursive: only for values whose depth is bounded. */
export function mentions(value: JsonValue, names: ReadonlySet<string>): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => mentions(item, names));
  for (const name in value) if (names.has(name) || mentions(value[name] as JsonValue, names)) return true;
  return false;
}

/** A value of unknown origin as a message shows it: scalars in JSON, the rest by type. */
export function show(value: unknown): string {
  if (typeof value === "string") return printable(JSON.stringify(value), MAX_SHOWN_UNITS);
  return typeof value === "object" || typeof value === "undefined" ? typeName(value) : String(value);
}

/** The JSON type of a value. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
