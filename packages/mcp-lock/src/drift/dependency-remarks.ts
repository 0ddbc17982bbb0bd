import { isSameJson } from "@agentprint/canonical-json/json-value";
import type { LockedArtifact } from "@agentprint/launch";
import type { VisitAnswers } from "@agentprint/mcp";
import { hasIntegrity } from "../lock/artifact.ts";
import type { LockedServer } from "../lock/lock.ts";
import { readTitle } from "../lock/package-title.ts";
import type { Drift, MovedPackage, Remark } from "./drift.ts";

/**
 * If a server's items differ although its version and the launch's digests are the same, returns a remark that lists
 * the packages whose known versions differ. There is no remark about images, because an image contains its packages.
 */
export function dependencyRemarks(locked: LockedServer, found: VisitAnswers, drifts: readonly Drift[]): Remark[] {
  if (!drifts.some(isOfItems) || drifts.some(isOfProgram) || !isKnownLaunch(locked, found)) return [];
  const moved = (locked.artifacts ?? []).flatMap(({ pointer, dependencies }) => {
    const now = found.artifacts?.find((each) => each.pointer === pointer);
    return movedPackages(dependencies, now?.dependencies);
  });
  return [{ type: "dependency-changed", packages: moved }];
}

function isOfItems({ type }: Drift): boolean {
  return type.startsWith("item-") || type.startsWith("tool-");
}

/** Returns whether a difference concerns the launched files and packages, or the server's reported version. */
function isOfProgram(drift: Drift): boolean {
  if (drift.type !== "part-changed") return false;
  const { part, changes } = drift;
  if (part === "serverInfo") return changes.some(({ pointer }) => pointer === "/version");
  return part === "launch" || part === "files" || part === "artifacts";
}

/** Returns whether the entry has digests of everything launched, and the visit found all of it in the same versions. */
function isKnownLaunch({ artifacts = [], files = [] }: LockedServer, found: VisitAnswers): boolean {
  const isRead = (locked: LockedArtifact) =>
    found.artifacts?.some(({ pointer, name, version }) =>
      isSameJson({ pointer, name, version }, { pointer: locked.pointer, name: locked.name, version: locked.version }),
    ) === true;
  const areArtifactsKnown = artifacts.every((each) => each.kind !== "oci" && hasIntegrity(each) && isRead(each));
  return artifacts.length + files.length > 0 && areArtifactsKnown && (files.length === 0 || found.files !== undefined);
}

type Packages = LockedArtifact["dependencies"];

/** Returns the packages that both sides have, but in different versions. */
function movedPackages(before: Packages, after: Packages): MovedPackage[] {
  const [old, now] = [versionsOf(before), versionsOf(after)];
  return [...old].flatMap(([name, versions]) => {
    const others = now.get(name) ?? new Set<string>();
    const gone = [...versions].filter((version) => !others.has(version));
    const fresh = [...others].filter((version) => !versions.has(version));
    return gone.length > 0 && fresh.length > 0 ? [{ name, before: gone, after: fresh }] : [];
  });
}

/** Returns the versions of packages, by name. */
function versionsOf(packages: Packages = {}): Map<string, Set<string>> {
  const versions = new Map<string, Set<string>>();
  for (const title of Object.keys(packages)) {
    const [name, version] = readTitle(title);
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  return versions;
}
