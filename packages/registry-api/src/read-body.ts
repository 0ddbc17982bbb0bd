import { CanonicalJsonError, type JsonValue, parseJson } from "@agentprint/canonical-json";
import { RegistryClientError } from "./errors.ts";

/** The maximum size of an answer, in bytes. */
export const MAX_ANSWER_BYTES: number = 32 * 2 ** 20;
const MAX_DEPTH = 1000;

/**
 * Returns the bytes of an answer. @throws {@link RegistryClientError} `invalid-answer` when there are more than
 * {@link MAX_ANSWER_BYTES}.
 */
export async function readBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new RegistryClientError("invalid-answer", `expected an answer of at most ${MAX_ANSWER_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/**
 * Parses JSON from a registry's answer. @throws {@link RegistryClientError} `invalid-answer` when it is not strict
 * JSON.
 */
export function readJson(text: Uint8Array | string): JsonValue {
  try {
    return parseJson(text, { maxBytes: MAX_ANSWER_BYTES, maxDepth: MAX_DEPTH });
  } catch (cause) {
    if (!(cause instanceof CanonicalJsonError)) throw cause;
    throw new RegistryClientError("invalid-answer", `expected JSON from the registry: ${cause.message}`, { cause });
  }
}
