import {
  compareCodeUnits,
  fromPointer,
  type JsonObject,
  type JsonValue,
  ownMember,
  type PathSegment,
} from "@agentprint/canonical-json";

/** Orders two paths segment by segment: array indexes as numbers and before names, names by UTF-16 code units. */
export function comparePaths(a: readonly PathSegment[], b: readonly PathSegment[]): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const order = compareSegments(a[at] as PathSegment, b[at] as PathSegment);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareSegments(a: PathSegment, b: PathSegment): number {
  if (typeof a === "number") return typeof b === "number" ? a - b : -1;
  return typeof b === "number" ? 1 : compareCodeUnits(a, b);
}

/**
 * Returns the path of a pointer into a value, with array indexes as numbers. If the value has no such place, the other
 * segments are names.
 */
export function pathIn(value: JsonValue | undefined, pointer: string): PathSegment[] {
  let at = value;
  return fromPointer(pointer).map((name) => {
    const segment = Array.isArray(at) ? Number(name) : name;
    at = typeof at === "object" && at !== null ? ownMember(at as JsonObject, name) : undefined;
    return segment;
  });
}
