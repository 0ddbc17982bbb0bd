import type { TextPosition } from "./errors.ts";
import { decodeText } from "./parse/decode-text.ts";
import { type ParseJsonOptions, resolveLimits } from "./parse/limits.ts";
import { parseStepwise } from "./parse/parse-stepwise.ts";
import { textPositions } from "./parse/text-position.ts";
import { type PathSegment, toPointer } from "./pointer.ts";

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
  const offsets = new Map<string, number>();
  const wanted = new Set(pointers.flatMap(withParents));
  const depths = new Set([...wanted].map((pointer) => pointer.split("/").length - 1));
  parseStepwise(decoded, limits, (path: readonly PathSegment[], offset: number) => {
    if (!depths.has(path.length)) return;
    const pointer = toPointer(path);
    if (wanted.has(pointer)) offsets.set(pointer, offset);
  });
  const found = pointers.map(
    (pointer) =>
      withParents(pointer)
        .map((each) => offsets.get(each))
        .find((o) => o !== undefined) ?? 0,
  );
  return textPositions(decoded, found);
}

/** A pointer, then the pointers to the values around it, innermost first. */
function withParents(pointer: string): string[] {
  const segments = pointer.split("/");
  return segments.map((_, index) => segments.slice(0, segments.length - index).join("/"));
}
