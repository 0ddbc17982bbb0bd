import { sha256Hex } from "@agentprint/canonical-json/sha256";

/** The digests of the lines of a text, one after the other. */
export function hashLines(text: string): string {
  const digests = text.split("\n").map((line) => sha256Hex(line));
  return digests.join("");
}
