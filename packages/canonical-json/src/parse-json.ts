import { type CanonicalizeOptions, canonicalize } from "./canonicalize.ts";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

export interface ParseJsonOptions {
  /** Reject integers beyond ±(2^53 − 1), which a double cannot carry exactly. Default `false`. */
  readonly losslessIntegers?: boolean;
  /** Deepest nesting of arrays and objects accepted. Default 10,000. */
  readonly maxDepth?: number;
  /** Longest input accepted, in bytes of UTF-8. Default 64 MiB. */
  readonly maxBytes?: number;
}

// Placeholder implementation, replaced by the strict parser.
export function parseJson(text: string | Uint8Array, _options: ParseJsonOptions = {}): JsonValue {
  return JSON.parse(typeof text === "string" ? text : new TextDecoder().decode(text)) as JsonValue;
}

export function canonicalizeJson(
  text: string | Uint8Array,
  options: CanonicalizeOptions & ParseJsonOptions = {},
): string {
  return canonicalize(parseJson(text, options), options);
}
