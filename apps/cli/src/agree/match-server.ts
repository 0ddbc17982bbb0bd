import type { LockEntry, LockFile } from "@agentprint/mcp-lock/lock";
import type { ConfiguredServer } from "./configured-server.ts";
import { isLockedLaunch } from "./same-launch.ts";

/** The entry of the lock that a configured server goes by; none where it is not pinned. */
export interface Match {
  readonly entry: LockEntry | undefined;
  readonly isSame: boolean;
}

/**
 * Finds the entry of a lock by what was recorded when the server was pinned, by the name that its guard has for it, or else by its
 * name, which `init` may have lengthened by the client.
 */
export function matchServer({ servers, sources = [] }: LockFile, server: ConfiguredServer): Match {
  const { name, config, client, place, compared } = server;
  const source = sources.find((each) => each.config === config && each.entry === name);
  const known = place.guardedAs ?? source?.server;
  const names = known === undefined ? [...(client ? [`${name}-${client.id}`] : []), name] : [known];
  const named = names.flatMap((each) => servers.find((entry) => entry.name === each) ?? []);
  // A server that was pinned by its command alone has a name of its own.
  const candidates = named.length > 0 || known !== undefined ? named : servers;
  const same = candidates.find((entry) => isLockedLaunch(entry, compared));
  return { entry: same ?? named[0], isSame: same !== undefined };
}
