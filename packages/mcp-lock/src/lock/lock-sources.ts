import { compareCodeUnits } from "@agentprint/canonical-json";
import { LOCK_VERSION, type LockFile } from "./lock.ts";

/** An entry of a project's configuration that a server was pinned from. */
export interface LockSource {
  /** The path of the configuration from the folder of the lock, with `/` between folders. */
  readonly config: string;
  /** The name of the entry in this configuration. */
  readonly entry: string;
  /** The name of the server in the lock. */
  readonly server: string;
}

/**
 * The same lock with these sources beside those that it has: of one entry, the new one counts. No digest depends on them.
 *
 * @example
 * ```ts
 * import { createLock, withSources } from "@agentprint/mcp-lock";
 *
 * const lock = withSources(createLock({ files: snapshot }), [{ config: ".mcp.json", entry: "files", server: "files" }]);
 * console.log(lock.sources?.length); // 1
 * ```
 */
export function withSources(lock: LockFile, sources: readonly LockSource[]): LockFile {
  const byEntry = new Map([...(lock.sources ?? []), ...sources].map((source) => [keyOf(source), source]));
  return { ...lock, lockVersion: LOCK_VERSION, sources: sortedSources([...byEntry.values()]) };
}

/** The same sources in code-unit order of their configurations and entries. */
export function sortedSources(sources: readonly LockSource[]): LockSource[] {
  return sources.toSorted((a, b) => compareCodeUnits(a.config, b.config) || compareCodeUnits(a.entry, b.entry));
}

function keyOf({ config, entry }: LockSource): string {
  return JSON.stringify([config, entry]);
}
