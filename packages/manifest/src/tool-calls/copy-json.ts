import { canonicalizeToBytes, type JsonValue, parseJson } from "@agentprint/canonical-json";

/** Longer texts are not parsed, whatever the limit is. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/**
 * A plain copy of a value that somebody else made, its members in their order; `undefined` for what is not JSON, is too
 * large or too deep, or throws when it is read.
 *
 * The copy is checked instead of the value: a getter, a proxy or a `toJSON` may answer otherwise whenever it is asked.
 *
 * @param maxBytes - most bytes of the canonical JSON, of which 64 MB are read at most
 * @param maxDepth - most levels of arrays and objects
 */
export function copyJson(value: unknown, maxBytes: number, maxDepth: number): JsonValue | undefined {
  try {
    const canonical = canonicalizeToBytes(value, { maxDepth });
    if (canonical.length > maxBytes) return undefined;
    const copy = parseJson(JSON.stringify(value), { maxDepth, maxBytes: MAX_TEXT_BYTES });
    return isEqual(canonicalizeToBytes(copy), canonical) ? copy : undefined;
  } catch {
    return undefined;
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
