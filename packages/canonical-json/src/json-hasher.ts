import { checkNames, invalidOption, isLimit } from "./options.ts";
import { MAX_INPUT_BYTES, type ParseJsonOptions, resolveLimits } from "./parse/limits.ts";
import { type JsonHasher, PieceHasher } from "./stream/piece-hasher.ts";
import { TextWindow } from "./stream/text-window.ts";

/** How to read text that arrives in pieces. */
export interface JsonHasherOptions extends Pick<ParseJsonOptions, "losslessIntegers" | "maxDepth"> {
  /** The length of the longest accepted text, in bytes. Default: no limit. */
  readonly maxBytes?: number | undefined;
  /**
   * The size of the longest object, in bytes of the text, whose members may come in any order. Such an object is held
   * completely, in up to four times as much memory. The members of a longer object must be in order. Default 512 KiB,
   * at most 32 MiB.
   */
  readonly maxObjectBytes?: number | undefined;
}

const DEFAULT_OBJECT_BYTES = 524_288;
/** Larger windows are slower, because they do not fit into the processor's cache. */
const WINDOW_BYTES = 131_072;

/**
 * Hashes JSON text piece by piece, with the same digest as {@link hashJson} for the complete text. The canonical text
 * is passed on to SHA-256 while the text arrives, so memory does not grow with it: an array is never held in memory,
 * and an object only up to `maxObjectBytes`.
 *
 * @returns A hasher whose `digest` throws every error in the text, because even an error at the end of the text must
 * prevent a digest.
 * @throws {@link CanonicalJsonError} `invalid-option` when an option is unknown or has a wrong type.
 *
 * @example
 * ```ts
 * import { createJsonHasher, hashJson } from "@agentprint/canonical-json";
 *
 * const hasher = createJsonHasher();
 * for (const piece of ['[{"b":1.0', ',"a":2}]']) hasher.update(new TextEncoder().encode(piece));
 * console.log(hasher.digest() === hashJson('[{"a":2,"b":1}]')); // true
 * ```
 */
export function createJsonHasher(options: JsonHasherOptions = {}): JsonHasher {
  checkNames(options, ["losslessIntegers", "maxDepth", "maxBytes", "maxObjectBytes"]);
  const { maxBytes = Number.POSITIVE_INFINITY, maxObjectBytes = DEFAULT_OBJECT_BYTES, ...rest } = options;
  if (!isLimit(maxBytes)) throw invalidOption("maxBytes", "a whole number ≥ 0", maxBytes);
  const highest = MAX_INPUT_BYTES / 2;
  if (!(isLimit(maxObjectBytes) && maxObjectBytes <= highest)) {
    throw invalidOption("maxObjectBytes", `a whole number from 0 to ${highest}`, maxObjectBytes);
  }
  return new PieceHasher(resolveLimits(rest), maxBytes, new TextWindow(WINDOW_BYTES, 2 * maxObjectBytes));
}
