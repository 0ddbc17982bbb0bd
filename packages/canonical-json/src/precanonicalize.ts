import { CanonicalPart, isPart, writePart } from "./accelerators/canonical-part.ts";
import { write } from "./canonicalize.ts";
import { type CanonicalizeOptions, resolveOptions } from "./options.ts";
import { parts } from "./writer/plain-value.ts";

/**
 * Canonicalizes a value that is part of larger values, which are canonicalized or hashed many times, so that its text
 * can be copied into theirs.
 *
 * @param value - As for `canonicalize`. It must not change afterwards, so freeze it.
 * @param options - As for `canonicalize`. The larger values must be written with the same profile and key order.
 * @returns A part, whose `toJSON()` is the value.
 * @throws {@link CanonicalJsonError} as {@link canonicalize} does. Canonicalizing a larger value that holds the part throws
 * `invalid-option` when its profile or key order differs from the part's.
 * @example
 * ```ts
 * import { canonicalize, precanonicalize } from "@agentprint/canonical-json";
 *
 * const schema = precanonicalize({ type: "object", properties: {} });
 * canonicalize({ name: "ping", schema }); // '{"name":"ping","schema":{"properties":{},"type":"object"}}'
 * ```
 */
export function precanonicalize(value: unknown, options?: CanonicalizeOptions): CanonicalPart {
  parts.isPart = isPart;
  parts.write = writePart;
  return write(value, resolveOptions(options), undefined, (writer) => new CanonicalPart(value, writer.toPart()));
}
