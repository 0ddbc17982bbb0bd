import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import { GuardError } from "../errors.ts";

/** The maximum length of a text that is parsed, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Returns the JSON text of another library's value, as a transport would write it.
 *
 * @throws {@link GuardError} `not-json` when there is no such text, because the value has a cycle, a bigint or too many
 * levels
 */
export function jsonTextOf(value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: "the thrown value is not an error" };
    throw new GuardError("not-json", `expected a value that JSON can write, received another one: ${message}`);
  }
  throw new GuardError("not-json", `expected a value that JSON can write, received ${typeof value}`);
}

/**
 * Returns another library's value as plain JSON data. Uses canonical-json's parser, because V8's parser can return the
 * same value for two different texts if names have escapes (nodejs/node#63785).
 *
 * @throws {@link GuardError} `not-json` when JSON cannot represent the value, or only with too many levels or bytes
 */
export function jsonOf(value: unknown): JsonValue {
  try {
    return parseJson(jsonTextOf(value), { tolerate: () => true, maxBytes: MAX_BYTES });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new GuardError("not-json", `expected a value that JSON can write: ${error.message}`, { cause: error });
  }
}

/**
 * Returns the definition of another library's tool as plain JSON data.
 *
 * @throws {@link GuardError} `not-json` under the same conditions as {@link jsonOf}
 */
export function definitionOf(tool: object): JsonObject {
  return jsonOf(tool) as JsonObject;
}
