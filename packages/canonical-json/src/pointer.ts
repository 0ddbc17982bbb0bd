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
