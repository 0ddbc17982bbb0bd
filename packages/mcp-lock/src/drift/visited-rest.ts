import type { JsonChange } from "@agentprint/canonical-json";
import { isSameJson } from "@agentprint/canonical-json/json-value";
import type { LockedFile } from "@agentprint/launch";
import { addedScripts, compareArtifacts, titleOf } from "../lock/artifact.ts";
import type { LockedServer } from "../lock/lock.ts";
import type { Drift } from "./drift.ts";
import { partChanged } from "./part-changed.ts";
import { textChanges } from "./text-changes.ts";

/** Returns the differences between an entry's files and artifacts and those that a visit found. */
export function diffVisitedRest(locked: LockedServer, visited: LockedServer): Drift[] {
  return [...diffFiles(locked, visited), ...diffArtifacts(locked, visited)];
}

/**
 * Returns the changed files; none if the entry has no file digests, or if the check did not read the files. For an
 * entry that an earlier version pinned, only the arguments that are still treated as files are compared.
 */
function diffFiles(before: LockedServer, after: LockedServer): Drift[] {
  if (before.files === undefined || after.files === undefined) return [];
  const isOlder =
    before.coverage === undefined && after.coverage !== undefined && isSameJson(before.launch, after.launch);
  const changes = compareFiles(before.files, after.files);
  return partChanged(
    "files",
    isOlder ? changes.filter((change) => change.before !== undefined && change.after !== undefined) : changes,
  );
}

/** Returns a change for each file whose digest differs, or that only one of two lists has. */
export function compareFiles(before: readonly LockedFile[], after: readonly LockedFile[]): JsonChange[] {
  const [old, now] = [before, after].map((files) =>
    Object.fromEntries(files.map(({ pointer, digest }) => [pointer, digest])),
  );
  return textChanges(old, now);
}

/**
 * Returns the differences between the artifacts of one launch, including artifacts whose bytes are no longer known; for
 * a changed launch, only the new install scripts.
 */
function diffArtifacts(before: LockedServer, after: LockedServer): Drift[] {
  if (!isSameJson(before.launch, after.launch)) {
    return partChanged("artifacts", addedScripts(before.artifacts ?? [], after.artifacts ?? []));
  }
  if (before.artifacts === undefined) return [];
  const { changes, added, moved, untold } = compareArtifacts(before.artifacts, after.artifacts ?? []);
  const known = before.artifacts.map((artifact) => ({ pointer: artifact.pointer, before: titleOf(artifact) }));
  const lost = known.filter((artifact) => untold.includes(artifact.before));
  return [
    ...partChanged("artifacts", [...changes, ...lost]),
    ...partChanged("artifactVersions", moved),
    ...partChanged("artifactFiles", added),
  ];
}
