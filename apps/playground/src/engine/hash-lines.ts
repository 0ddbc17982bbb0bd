import { splitLines } from "@agentprint/canonical-json/lines";
import { sha256Hex } from "@agentprint/canonical-json/sha256";

/** The digests of lines of UTF-8, one after the other. */
export function hashLines(bytes: Uint8Array): string {
  const digests = splitLines(bytes).map((line) => sha256Hex(line));
  return digests.join("");
}
