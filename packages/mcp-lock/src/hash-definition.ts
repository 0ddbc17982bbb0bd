import { CanonicalJsonError, hashCanonical, type PathSegment, toPointer } from "@agentprint/canonical-json";
import { MAX_DEPTH } from "@agentprint/tool-pins/judgement";
import { McpLockError } from "./errors.ts";

/** Returns the digest of a value as received; `at` is its place, for the paths in errors. */
export function hashDefinition(definition: unknown, at: readonly PathSegment[] = []): string {
  try {
    return hashCanonical(definition, { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new McpLockError("invalid-definition", toPointer(at) + error.path, error.reason, { cause: error });
  }
}
