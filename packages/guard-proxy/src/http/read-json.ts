import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import type { JsonValue } from "@agentprint/canonical-json/json-value";

/**
 * The value of a message, by the parser that the guard judges it with: what is routed by it is what is judged.
 * `undefined` if it is not a strict JSON.
 */
export function readJson(message: string | Uint8Array): JsonValue | undefined {
  try {
    return parseJson(message, { tolerate: () => true });
  } catch (error) {
    if (error instanceof CanonicalJsonError) return undefined;
    throw error;
  }
}
