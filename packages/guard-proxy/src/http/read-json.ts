import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import type { JsonValue } from "@agentprint/canonical-json/json-value";

/**
 * The value of a message, read with the guard's own parser, so that the routed value is the judged one.
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
