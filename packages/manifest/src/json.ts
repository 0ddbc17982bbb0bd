import { isJsonObject, type JsonValue, ownMember, printable, typeName } from "@agentprint/canonical-json";
import { MAX_SHOWN_UNITS } from "./limits.ts";

/** The own member of a value of unknown origin; `undefined` if the value is no object or has no such member. */
export function member(value: unknown, name: string): JsonValue | undefined {
  return isJsonObject(value) ? ownMember(value, name) : undefined;
}

/** The own member of that name if it is an array, else an empty one. */
export function listOf(value: unknown, name: string): readonly JsonValue[] {
  const list = member(value, name);
  return Array.isArray(list) ? list : [];
}

/** Whether any object in a value has a member with one of these names. Recursive: only for values of limited depth. */
export function mentions(value: JsonValue, names: ReadonlySet<string>): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => mentions(item, names));
  for (const name in value) if (names.has(name) || mentions(value[name] as JsonValue, names)) return true;
  return false;
}

/** A value of unknown origin as a message shows it: texts, numbers and booleans in JSON, other values by their type. */
export function show(value: unknown): string {
  if (typeof value === "string") return printable(JSON.stringify(value), MAX_SHOWN_UNITS);
  return typeof value === "object" || typeof value === "undefined" ? typeName(value) : String(value);
}
