import { escapeText } from "@agentprint/canonical-json/text";
import type { LaunchCoverage } from "@agentprint/launch";
import { coverageOfEntry, type LockedServer } from "@agentprint/mcp-lock/lock";

/**
 * Returns the coverage of a launch by the digests of its entry, in one line, state first; `undefined` for a server at
 * an address.
 */
export function coverageInWords(entry: LockedServer): string | undefined {
  const coverage = coverageOfEntry(entry);
  return coverage && [stateInWords(coverage), ...envFilesInWords(coverage)].join("; ");
}

function stateInWords({ state, word = "" }: LaunchCoverage): string {
  if (state === "files") return "files: what the launch names is pinned, what that imports is not";
  if (state === "artifact") return "artifact: the version is pinned, the bytes are not compared";
  return `not covered: nothing is known of what ${escapeText(word)} leads to`;
}

function envFilesInWords({ envFiles = [] }: LaunchCoverage): string[] {
  return envFiles.length === 0 ? [] : [`the variables in ${escapeText(envFiles.join(", "))} are not pinned`];
}
