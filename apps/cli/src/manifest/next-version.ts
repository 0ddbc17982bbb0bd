import type { ManifestDiff } from "@agentprint/manifest";

/**
 * Returns the semantic version that follows another: major when something breaks, minor when something is added, else
 * patch.
 */
export function nextVersion(version: string, { breaking, nonBreaking, unclassified }: ManifestDiff): string {
  // The numbers of a semantic version have no upper limit.
  const [major = 0n, minor = 0n, patch = 0n] = (/^[\d.]+/.exec(version)?.[0] ?? "").split(".").map(BigInt);
  const added = nonBreaking.filter(({ kind }) => kind !== "agent_version_changed");
  if (breaking.length > 0) return `${major + 1n}.0.0`;
  if (added.length > 0) return `${major}.${minor + 1n}.0`;
  return unclassified.length > 0 ? `${major}.${minor}.${patch + 1n}` : version;
}
