import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import type { JsonValue } from "@agentprint/canonical-json/json-value";

/**
 * Returns the value of a message, read with the guard's own parser, so that the routed value is the judged one. Returns
 * `undefined` if the message is not strict JSON.
 */
export function readJson(message: string | Uint8Array): JsonValue | undefined {
  try {
    return parseJson(message, { tolerate: () => true });
  } catch (error) {
    if (error instanceof CanonicalJsonError) return undefined;
    throw error;
  }
}
