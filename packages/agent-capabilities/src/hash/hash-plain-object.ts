import { hashCanonical } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { canonicalOptions, type SortOptions } from "./hash-options.ts";

/**
 * Returns the SHA-256 of a value's canonical JSON, which is the text that `JSON.stringify` would write with the keys of
 * every object sorted.
 *
 * @param value - Any value that `JSON.stringify` can write. Map, Set and other objects whose content is invisible to
 * JSON are refused.
 * @param options - Key order; `"locale"` only to verify old digests.
 * @returns 64 lowercase hex digits.
 * @throws {@link CanonicalJsonError} `bigint`, `cycle`, `opaque-object`, `too-deep`, `undefined` or `unreadable` when the
 * value has no canonical text
 * @see Capability hashing, "Canonical JSON (`hashPlainObject`)"
 * @example
 * ```ts
 * import { hashPlainObject } from "@agentprint/agent-capabilities";
 *
 * hashPlainObject({ b: 1, a: 2 }); // "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772"
 * ```
 */
export function hashPlainObject(value: unknown, options: SortOptions = {}): string {
  checkArgument("options", options, "object");
  return hashCanonical(value, canonicalOptions(options));
}
