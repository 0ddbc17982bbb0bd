import type { TextPosition } from "./errors.ts";
import { fromPointer, type PathSegment } from "./json-value/pointer.ts";
import { decodeText } from "./parse/decode-text.ts";
import { type ParseJsonOptions, resolveLimits } from "./parse/limits.ts";
import { parseStepwise } from "./parse/parse-stepwise.ts";
import { textPositions } from "./parse/text-position.ts";

/**
 * Where the values that JSON Pointers name start in a strict JSON text, in the order of the pointers.
 *
 * A pointer to a value that is not there gets the place of the nearest value around it that is.
 *
 * @param text - JSON as a string or as UTF-8 bytes
 * @param pointers - RFC 6901 JSON Pointers
 * @throws {@link CanonicalJsonError} as {@link parseJson} does
 *
 * @example
 * ```ts
 * import { locateJson } from "@agentprint/canonical-json";
 *
 * const [place] = locateJson('{\n  "tools": ["read", "write"]\n}', ["/tools/1"]);
 * console.log(place?.line, place?.column); // 2 21
 * ```
 */
export function locateJson(
  text: string | Uint8Array,
  pointers: readonly string[],
  options: ParseJsonOptions = {},
): TextPosition[] {
  const limits = resolveLimits(options);
  const decoded = decodeText(text, limits);
  const wanted = pointers.map(fromPointer);
  const root = placesOf(wanted);
  /** The places that lead to the value being read, as far as a pointer goes. */
  const open: (Place | undefined)[] = [];
  parseStepwise(decoded, limits, (path: readonly PathSegment[], offset: number) => {
    const { length } = path;
    const place = length === 0 ? root : open[length - 1]?.inside.get(String(path[length - 1]));
    if (place !== undefined) place.offset = offset;
    open[length] = place;
  });
  return textPositions(
    decoded,
    wanted.map((segments) => offsetOf(root, segments)),
  );
}

/** A value that a pointer names or goes through. A tree of names, because a pointer for each value read costs its length. */
interface Place {
  offset: number | undefined;
  readonly inside: Map<string, Place>;
}

function placesOf(paths: readonly (readonly string[])[]): Place {
  const root: Place = { offset: undefined, inside: new Map() };
  for (const path of paths) {
    let place = root;
    for (const segment of path) {
      const inner = place.inside.get(segment) ?? { offset: undefined, inside: new Map() };
      place.inside.set(segment, inner);
      place = inner;
    }
  }
  return root;
}

/** Where the innermost value on a path starts that was found. */
function offsetOf(root: Place, path: readonly string[]): number {
  let place = root;
  for (const segment of path) {
    const inner = place.inside.get(segment);
    if (inner?.offset === undefined) break;
    place = inner;
  }
  return place.offset ?? 0;
}
