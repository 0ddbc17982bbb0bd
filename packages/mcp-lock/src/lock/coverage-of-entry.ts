import {
  coverageWithFiles,
  coverageWithPackages,
  type LaunchCoverage,
  type LockedFile,
  launchCoverage,
  launchedFiles,
} from "@agentprint/launch";
import { checkArgument } from "../check-argument.ts";
import type { LockedServer } from "./lock.ts";

/**
 * Returns how far an entry's digests cover its launch: according to the entry, or, if an earlier version pinned it,
 * according to its launch and files. A server at an address has no coverage.
 *
 * @example
 * ```ts
 * import { coverageOfEntry, lockServer } from "@agentprint/mcp-lock";
 *
 * // The snapshot starts `node server.js`, and no digest of that file was read.
 * console.log(coverageOfEntry(lockServer("files", answers))?.state); // not covered
 * ```
 */
export function coverageOfEntry(entry: LockedServer): LaunchCoverage | undefined {
  checkArgument("entry", entry, { launch: "object" });
  const coverage =
    entry.coverage ??
    coverageWithFiles(
      entry.launch,
      pinnedFiles(entry).map(({ pointer }) => pointer),
    );
  return coverage && coverageWithPackages(entry.launch, coverage, entry.artifacts);
}

/**
 * Returns the files in an entry that the guard requires. Omits words that an earlier version mistook for files; an
 * entry without coverage was pinned by such a version.
 */
export function pinnedFiles(entry: LockedServer): readonly LockedFile[] {
  checkArgument("entry", entry, { launch: "object" });
  if (entry.files === undefined) return [];
  if (entry.coverage !== undefined || launchCoverage(entry.launch) === undefined) return entry.files;
  const read = launchedFiles(entry.launch);
  return entry.files.filter(({ pointer }) => read.some((file) => file.pointer === pointer));
}
