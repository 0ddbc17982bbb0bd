import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";

/**
 * Parses tool arguments that a framework reports as text; returns the text if it is not JSON that all
 * readers read alike.
 */
export function parsedArguments(input: string): unknown {
  try {
    return parseJson(input, { tolerate: () => true });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return input;
  }
}
