import { compareCodeUnits } from "@agentprint/canonical-json";
import { checkArgument, LOCK } from "../check-argument.ts";
import type { LockFile, LockSource } from "./lock.ts";

/**
 * Returns the lock with these sources added; a new source replaces the old source of the same entry. No digest depends
 * on them.
 *
 * @param madeBy `init` if the sources cover all configurations of a project; by default, the value in the lock
 *
 * @example
 * ```ts
 * import { createLock, withSources } from "@agentprint/mcp-lock";
 *
 * const lock = withSources(createLock({ files: answers }), [{ config: ".mcp.json", entry: "files", server: "files" }]);
 * console.log(lock.sources?.length); // 1
 * ```
 */
export function withSources(
  lock: LockFile,
  sources: readonly LockSource[],
  madeBy: LockFile["madeBy"] = lock?.madeBy,
): LockFile {
  checkArgument("lock", lock, LOCK);
  checkArgument("sources", sources, ["object"]);
  const byEntry = new Map([...(lock.sources ?? []), ...sources].map((source) => [keyOf(source), source]));
  return { ...lock, sources: sortedSources([...byEntry.values()]), ...(madeBy && { madeBy }) };
}

/** Returns the same sources, sorted by configuration and entry in code-unit order. */
export function sortedSources(sources: readonly LockSource[]): LockSource[] {
  return sources.toSorted((a, b) => compareCodeUnits(a.config, b.config) || compareCodeUnits(a.entry, b.entry));
}

function keyOf({ config, entry }: LockSource): string {
  return JSON.stringify([config, entry]);
}
