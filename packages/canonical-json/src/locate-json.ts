import { checkArgument } from "./arguments/check-argument.ts";
import type { TextPosition } from "./errors.ts";
import { fromPointer, type PathSegment } from "./json-value/pointer.ts";
import { decodeText } from "./parse/decode-text.ts";
import { type ParseJsonOptions, resolveLimits } from "./parse/limits.ts";
import { parseStepwise } from "./parse/parse-stepwise.ts";
import { textPositions } from "./parse/text-position.ts";

/**
 * Returns, for each JSON Pointer, the place at which the value starts in a strict JSON text.
 *
 * If a pointer leads to no value, its place is the innermost value on its path.
 *
 * @param text - JSON as a string or as UTF-8 bytes.
 * @param pointers - RFC 6901 JSON Pointers.
 * @throws {@link CanonicalJsonError} as {@link parseJson} does.
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
  checkArgument("pointers", pointers, ["string"]);
  const limits = resolveLimits(options);
  const decoded = decodeText(text, limits);
  const wanted = pointers.map(fromPointer);
  const root = placesOf(wanted);
  /** The place of each value around the value being read, if a pointer leads there. */
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

/**
 * A value to which or through which a pointer leads. These values form a tree of names, because writing a pointer for
 * each value would take time.
 */
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

/** Returns the offset of the innermost value found on a path. */
function offsetOf(root: Place, path: readonly string[]): number {
  let place = root;
  for (const segment of path) {
    const inner = place.inside.get(segment);
    if (inner?.offset === undefined) break;
    place = inner;
  }
  return place.offset ?? 0;
}
