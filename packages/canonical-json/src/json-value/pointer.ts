/** A path from the root: object keys as strings, array indexes as numbers. */
export type PathSegment = string | number;

/**
 * Returns the JSON Pointer of a path, with `~` and `/` escaped (RFC 6901, sections 3 and 4).
 *
 * @returns `""` for the root, which has no segments.
 *
 * @example
 * ```ts
 * import { toPointer } from "@agentprint/canonical-json";
 *
 * console.log(toPointer(["paths", "/a", 0])); // /paths/~1a/0
 * ```
 */
export function toPointer(segments: Iterable<PathSegment>): string {
  let pointer = "";
  for (const segment of segments) pointer += `/${escaped(String(segment))}`;
  return pointer;
}

/** Most names need no escape, and looking for a character to escape is faster than replacing. */
function escaped(segment: string): string {
  if (!segment.includes("~") && !segment.includes("/")) return segment;
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}

/**
 * Returns the unescaped segments of a JSON Pointer (RFC 6901, section 4). The text is not checked: pass only a valid
 * pointer.
 *
 * @returns Keys and array indexes, both as strings; no segments for `""`.
 *
 * @example
 * ```ts
 * import { fromPointer } from "@agentprint/canonical-json";
 *
 * console.log(fromPointer("/paths/~1a/0")); // [ 'paths', '/a', '0' ]
 * ```
 */
export function fromPointer(pointer: string): string[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}
