import { canonicalizeToBytes, type JsonValue, parseJson } from "@agentprint/canonical-json";
import { MAX_VALUE_DEPTH, MAX_VALUE_TEXT_BYTES } from "../limits.ts";

/**
 * Returns a plain copy of a value of unknown origin, with its members in the same order, or `undefined` if the value is
 * not JSON, is too large or too deep, or throws when it is read.
 *
 * Callers check the copy instead of the value, because a getter, a proxy or a `toJSON` can return something different
 * each time. For the same reason, the copy must have the same canonical bytes that were measured before it was made.
 *
 * @param maxBytes - the maximum number of bytes in the canonical JSON
 */
export function copyJson(value: unknown, maxBytes: number): JsonValue | undefined {
  try {
    const canonical = canonicalizeToBytes(value, { maxDepth: MAX_VALUE_DEPTH });
    if (canonical.length > maxBytes) return undefined;
    const copy = parseJson(JSON.stringify(value), { maxDepth: MAX_VALUE_DEPTH, maxBytes: MAX_VALUE_TEXT_BYTES });
    return isEqual(canonicalizeToBytes(copy), canonical) ? copy : undefined;
  } catch {
    return undefined;
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
