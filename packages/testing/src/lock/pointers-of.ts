import type { JsonValue } from "@agentprint/canonical-json";
import { toPointer } from "@agentprint/canonical-json";

/** Returns the pointers of a value and of every value inside it. */
export function pointersOf(value: JsonValue, path: readonly (string | number)[] = []): string[] {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [toPointer(path), ...members.flatMap(([key, member]) => pointersOf(member, [...path, key]))];
}

/** Returns the value at a pointer, or `undefined` if the pointer leads to no value. */
export function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const key of segmentsOf(pointer)) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, JsonValue>)[key];
  }
  return current;
}

/** Returns a copy with the value at a pointer replaced, or removed if the replacement is `undefined`. */
export function withValueAt(value: JsonValue, pointer: string, replacement: JsonValue | undefined): JsonValue {
  const [key, ...rest] = segmentsOf(pointer);
  if (key === undefined) return replacement ?? null;
  const below = rest.length === 0 ? replacement : withValueAt(memberOf(value, key), toPointer(rest), replacement);
  if (Array.isArray(value)) {
    return below === undefined ? value.toSpliced(Number(key), 1) : value.with(Number(key), below);
  }
  const others = Object.entries(value as object).filter(([name]) => name !== key);
  return Object.fromEntries(below === undefined ? others : [...others, [key, below]]);
}

function memberOf(value: JsonValue, key: string): JsonValue {
  return (value as Record<string, JsonValue>)[key] ?? null;
}

function segmentsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}
