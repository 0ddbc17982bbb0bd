import { isJsonObject, type JsonValue, ownMember, printable, typeName } from "@agentprint/canonical-json";
import { MAX_SHOWN_UNITS } from "./limits.ts";

/** Returns an untrusted value's own member, or `undefined` if the value is not an object or has no such member. */
export function member(value: unknown, name: string): JsonValue | undefined {
  return isJsonObject(value) ? ownMember(value, name) : undefined;
}

/** Returns the own member with that name if it is an array; otherwise an empty array. */
export function listOf(value: unknown, name: string): readonly JsonValue[] {
  const list = member(value, name);
  return Array.isArray(list) ? list : [];
}

/**
 * Returns an untrusted value in the form for messages: strings, numbers and booleans as JSON, other values by their
 * type.
 */
export function show(value: unknown): string {
  if (typeof value === "string") return printable(JSON.stringify(value), MAX_SHOWN_UNITS);
  return typeof value === "object" || typeof value === "undefined" ? typeName(value) : String(value);
}
