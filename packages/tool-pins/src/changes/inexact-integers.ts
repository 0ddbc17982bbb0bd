import { type JsonObject, type PathSegment, toPointer } from "@agentprint/canonical-json";
import { comparePaths } from "./order.ts";

/**
 * The maximum number of segments of a pointer, and the maximum length of all pointers of a tool in UTF-16 code units.
 */
const MAX_SEGMENTS = 256;
const MAX_POINTERS_LENGTH = 1_048_576;

/** A place in a definition, as the last segment that leads to it. */
interface Place {
  readonly above: Place | undefined;
  readonly segment: PathSegment;
  readonly depth: number;
}

/**
 * Returns the JSON Pointers of a parsed definition's integers beyond ±(2^53 − 1), in order. Another integer may be the
 * same double (text 13, rule P12). Returns only `""` if the pointers have more than 1,048,576 UTF-16 units.
 *
 * @example
 * ```ts
 * import { inexactIntegers } from "@agentprint/tool-pins/judgement";
 *
 * console.log(inexactIntegers({ inputSchema: { maximum: 2 ** 63 } })); // [ '/inputSchema/maximum' ]
 * ```
 */
export function inexactIntegers(definition: JsonObject): string[] {
  const paths = new Map<Place, PathSegment[]>();
  let length = 0;
  const open: (readonly [Place | undefined, unknown])[] = [[undefined, definition]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [place, value] = next;
    if (typeof value === "object" && value !== null) {
      const isArray = Array.isArray(value);
      for (const [name, member] of Object.entries(value))
        open.push([below(place, isArray ? Number(name) : name), member]);
    } else if (place !== undefined && Number.isInteger(value) && !Number.isSafeInteger(value) && !paths.has(place)) {
      const path = pathTo(place);
      paths.set(place, path);
      length += toPointer(path).length;
      if (length > MAX_POINTERS_LENGTH) return [""];
    }
  }
  return [...paths.values()].sort(comparePaths).map(toPointer);
}

function below(above: Place | undefined, segment: PathSegment): Place {
  const depth = above?.depth ?? 0;
  return above !== undefined && depth === MAX_SEGMENTS ? above : { above, segment, depth: depth + 1 };
}

function pathTo(place: Place | undefined): PathSegment[] {
  return place === undefined ? [] : [...pathTo(place.above), place.segment];
}
