import { checkNames, invalidOption, isLimit } from "../options.ts";

/** Limits that {@link parseJson} applies in addition to the grammar. */
export interface ParseJsonOptions {
  /**
   * Rejects every number beyond ±(2^53 − 1), because a double cannot hold every integer there. The value decides, not
   * the notation: `1e20` is rejected just like `100000000000000000000`, and `1.0` is the integer 1. Default `false`.
   */
  readonly losslessIntegers?: boolean | undefined;
  /**
   * Rejects every number that a double changes, so that its decimal value differs from the shortest text of its nearest
   * double. `0.1`, `1.0` and `1e20` are accepted; `9007199254740993` and `0.1000000000000000055` are not. Default
   * `false`.
   */
  readonly exactNumbers?: boolean | undefined;
  /**
   * Called for a number that `exactNumbers` would reject, and for an escaped lone surrogate in a string that is not a
   * member name; `true` accepts it with the value that `JSON.parse` returns. By default none is accepted.
   */
  readonly tolerate?: ((found: Tolerable) => boolean) | undefined;
  /**
   * Also calls `tolerate` for a lone surrogate in a member name. Use it only for readers that keep UTF-16: in UTF-8,
   * two names with different lone surrogates would become the same name. Default `false`.
   */
  readonly tolerateInNames?: boolean | undefined;
  /** The deepest accepted nesting of arrays and objects; 0 accepts only scalars. Default 10,000. */
  readonly maxDepth?: number | undefined;
  /** The length of the longest accepted input, in bytes of UTF-8. Default 16 MiB, at most 64 MiB. */
  readonly maxBytes?: number | undefined;
}

/** Something in JSON text that readers interpret differently. */
export interface Tolerable {
  readonly code: "inexact-number" | "lone-surrogate";
  /** RFC 6901 JSON Pointer of the number or string. */
  readonly path: string;
  /** The number as written in the text; absent for a lone surrogate. */
  readonly text?: string;
}

export interface ParseLimits {
  readonly exactNumbers: boolean;
  readonly tolerate: (found: Tolerable) => boolean;
  readonly tolerateInNames: boolean;
  readonly maxNumber: number;
  readonly maxDepth: number;
  readonly maxBytes: number;
}

/** 16 MiB. A hostile text's value takes up to 50 times as much memory as the text: 0.8 GB for a text of this size. */
export const DEFAULT_MAX_BYTES = 16_777_216;
export const DEFAULT_MAX_PARSED_DEPTH = 10_000;
/** 64 MiB. V8 takes minutes for an object with more than about 2^23 members, which text of this size cannot contain. */
export const MAX_INPUT_BYTES = 67_108_864;

/**
 * Fills in the defaults, and refuses a limit that is not a number, because a comparison with it would accept every
 * input.
 */
export function resolveLimits(options: ParseJsonOptions): ParseLimits {
  checkNames(options);
  const { losslessIntegers = false, exactNumbers = false, tolerate = never, tolerateInNames = false } = options;
  const { maxDepth = DEFAULT_MAX_PARSED_DEPTH, maxBytes = DEFAULT_MAX_BYTES } = options;
  for (const option of ["losslessIntegers", "exactNumbers", "tolerateInNames"] as const) {
    const value: unknown = options[option];
    if (value !== undefined && typeof value !== "boolean") throw invalidOption(option, "true or false", value);
  }
  if (typeof tolerate !== "function") throw invalidOption("tolerate", "a function", tolerate);
  return {
    exactNumbers,
    tolerate,
    tolerateInNames,
    maxNumber: losslessIntegers ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE,
    maxDepth: limit("maxDepth", maxDepth, Number.POSITIVE_INFINITY),
    maxBytes: limit("maxBytes", maxBytes, MAX_INPUT_BYTES),
  };
}

const never = (): boolean => false;

function limit(option: string, value: number, highest: number): number {
  if (isLimit(value) && value <= highest) return value;
  throw invalidOption(option, `a whole number from 0 to ${highest}`, value);
}
