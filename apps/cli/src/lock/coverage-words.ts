import { escapeText } from "@agentprint/canonical-json/text";
import { count } from "@agentprint/findings";
import { type LaunchCoverage, type LockedArtifact, launchedPackages } from "@agentprint/launch";
import { coverageOfEntry, hasIntegrity, type LockedServer } from "@agentprint/mcp-lock/lock";

/**
 * Returns how the digests of an entry cover its launch, in one line, state first; `undefined` for a server at an
 * address.
 */
export function coverageInWords(entry: LockedServer): string | undefined {
  const coverage = coverageOfEntry(entry);
  return coverage && [stateInWords(coverage, entry), ...envFilesInWords(coverage)].join("; ");
}

function stateInWords({ state, word = "" }: LaunchCoverage, { artifacts = [], launch }: LockedServer): string {
  const scripts = [...new Set(artifacts.flatMap((artifact) => artifact.scripts ?? []))];
  if (scripts.length > 0) {
    return `not covered: ${escapeText(scripts.join(", "))} may run install scripts, and no digest covers what they write`;
  }
  if (state === "files") return "files: the files that the launch names are pinned, their imports are not";
  if (state === "artifact" && artifacts.some(hasIntegrity)) return `artifact: ${artifactsInWords(artifacts)}`;
  if (state === "artifact") return "artifact: the version is pinned, the bytes are not compared";
  const picked = launchedPackages(launch).some(({ version, specifier }) => version === "exact" && specifier === word);
  if (picked) return `not covered: the bytes of ${escapeText(word)} are those that its runner picks when it starts`;
  return `not covered: it is unknown what ${escapeText(word)} leads to`;
}

/** Returns `the bytes of my-server@1.2.3 are pinned, and those of 97 packages installed with it`, for example. */
function artifactsInWords(artifacts: readonly LockedArtifact[]): string {
  const known = artifacts.filter(hasIntegrity);
  const names = escapeText(known.map(({ name, version }) => `${name}@${version}`).join(", "));
  const others = new Set(known.flatMap(({ dependencies = {} }) => Object.keys(dependencies))).size;
  const more =
    others === 0
      ? "; those of what is installed with it are not"
      : `, and those of ${count(others, "package")} installed with it`;
  return `the bytes of ${names} are pinned${more}`;
}

function envFilesInWords({ envFiles = [] }: LaunchCoverage): string[] {
  return envFiles.length === 0 ? [] : [`the variables in ${escapeText(envFiles.join(", "))} are not pinned`];
}
