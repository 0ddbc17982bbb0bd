/** A path from the root: object keys as strings, array indexes as numbers. */
export type PathSegment = string | number;

/** RFC 6901 JSON Pointer of a path; `""` for the root. */
export function toPointer(segments: Iterable<PathSegment>): string {
  let pointer = "";
  for (const segment of segments) {
    pointer += `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return pointer;
}

/** The segments of an RFC 6901 JSON Pointer, unescaped. An array index is a string, too. */
export function fromPointer(pointer: string): string[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}
