import { canonicalizeToBytes } from "@agentprint/canonical-json";
import { MAX_RESULT_BYTES } from "../limits.ts";
import type { LockedServer } from "./lock.ts";

/**
 * Returns the entry without the results of contents that do not fit into a file: each result that exceeds the space
 * left by earlier ones is dropped.
 */
export function withKeptResults(entry: LockedServer): LockedServer {
  let left = MAX_RESULT_BYTES;
  const contents = entry.contents.map((content) => {
    const { result, ...withoutResult } = content;
    if (result === undefined) return content;
    const { length } = canonicalizeToBytes(result, { profile: "ecmascript" });
    if (length > left) return withoutResult;
    left -= length;
    return content;
  });
  return { ...entry, contents };
}
