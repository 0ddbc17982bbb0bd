import { CanonicalJsonError, type ParseJsonOptions, parseJson } from "@agentprint/canonical-json";

/** Returns the error that parsing throws; fails when the text is accepted or anything else is thrown. */
export function rejection(text: string | Uint8Array, options?: ParseJsonOptions): CanonicalJsonError {
  let value: unknown;
  try {
    value = parseJson(text, options);
  } catch (error) {
    if (error instanceof CanonicalJsonError) return error;
    throw error;
  }
  throw new Error(`accepted, as a ${typeof value}`);
}

/** Returns bytes from ASCII text and single bytes. */
export function bytes(...parts: (string | number)[]): Uint8Array {
  const numbers = parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : [part]));
  return Uint8Array.from(numbers);
}
