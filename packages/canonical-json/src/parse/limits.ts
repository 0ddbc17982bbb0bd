import { checkNames, invalidOption } from "../options.ts";

/** Limits of {@link parseJson} beyond the grammar. */
export interface ParseJsonOptions {
  /**
   * Reject every number beyond ±(2^53 − 1), where a double no longer carries each integer exactly. The value counts,
   * not the notation: `1e20` is rejected as `100000000000000000000` is, and `1.0` is the integer 1. Default `false`.
   */
  readonly losslessIntegers?: boolean | undefined;
  /** Deepest nesting of arrays and objects accepted; 0 accepts scalars only. Default 10,000. */
  readonly maxDepth?: number | undefined;
  /** Longest input accepted, in bytes of UTF-8. Default 16 MiB, at most 64 MiB. */
  readonly maxBytes?: number | undefined;
}

export interface ParseLimits {
  readonly maxNumber: number;
  readonly maxDepth: number;
  readonly maxBytes: number;
}

/** A hostile text takes up to 50 times its size in memory: 0.8 GB for this one. */
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
/** V8 takes minutes for an object with more than about 2^23 members; a text of this size holds fewer. */
export const HIGHEST_MAX_BYTES: number = 64 * 1024 * 1024;

/** Fills in the defaults; a limit that is not a number must not silently switch a check off. */
export function resolveLimits(options: ParseJsonOptions): ParseLimits {
  checkNames(options);
  const { losslessIntegers = false, maxDepth = 10_000, maxBytes = DEFAULT_MAX_BYTES } = options;
  if (typeof losslessIntegers !== "boolean") throw invalidOption("losslessIntegers", "true or false", losslessIntegers);
  return {
    maxNumber: losslessIntegers ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE,
    maxDepth: limit("maxDepth", maxDepth, Number.POSITIVE_INFINITY),
    maxBytes: limit("maxBytes", maxBytes, HIGHEST_MAX_BYTES),
  };
}

function limit(option: string, value: number, highest: number): number {
  if (typeof value === "number" && value >= 0 && value <= highest) return value;
  throw invalidOption(option, `a number from 0 to ${highest}`, value);
}
