import { type LockFile, type LockSource, withSources } from "@agentprint/mcp-lock";
import type { FoundServer } from "../clients/find-servers.ts";
import type { Context } from "../run/context.ts";
import { asSource } from "./project-folder.ts";

/**
 * Records in the lock from which entries of the project's configurations its servers were pinned.
 *
 * @param file The path of the lock
 * @param found The servers of all configurations
 */
export function withSourcesOf(context: Context, lock: LockFile, file: string, found: readonly FoundServer[]): LockFile {
  const pinned = new Set(lock.servers.map(({ name }) => name));
  const known = new Set((lock.sources ?? []).map(({ config, entry }) => JSON.stringify([config, entry])));
  const sources = found.flatMap(({ name: server, target, places }) =>
    places.flatMap(({ path, scope, guardedAs }): LockSource[] => {
      const config = asSource(context, file, path);
      const entry = target.name;
      // A recorded source is not replaced, because the entry may have a different launch by now.
      if (scope !== "project" || config === undefined || known.has(JSON.stringify([config, entry]))) return [];
      const name = guardedAs ?? server;
      return pinned.has(name) ? [{ config, entry, server: name }] : [];
    }),
  );
  const isUnchanged = sources.length === 0 && lock.sources !== undefined && lock.madeBy === "init";
  return isUnchanged ? lock : withSources(lock, sources, "init");
}
