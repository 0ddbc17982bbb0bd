import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";

/**
 * Parses tool arguments that a framework reports as text; returns the text itself if it is not JSON that all parsers
 * read in the same way.
 */
export function parsedArguments(input: string): unknown {
  try {
    return parseJson(input, { tolerate: () => true });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return input;
  }
}
