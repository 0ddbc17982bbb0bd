import type { ManifestDiff } from "@agentprint/manifest";

/** The semantic version after another one: major when something breaks, minor when something is added, else patch. */
export function nextVersion(version: string, { breaking, nonBreaking, unclassified }: ManifestDiff): string {
  const [major = 0, minor = 0, patch = 0] = (/^[\d.]+/.exec(version)?.[0] ?? "").split(".").map(Number);
  const added = nonBreaking.filter(({ kind }) => kind !== "agent_version_changed");
  if (breaking.length > 0) return `${major + 1}.0.0`;
  if (added.length > 0) return `${major}.${minor + 1}.0`;
  return unclassified.length > 0 ? `${major}.${minor}.${patch + 1}` : version;
}
