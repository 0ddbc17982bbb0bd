import type { LockedServer, LockFile } from "@agentprint/mcp-lock/lock";
import type { ConfiguredServer } from "./configured-server.ts";
import { type AddedNames, isLockedLaunch, withNames } from "./same-launch.ts";

/** The lock entry of a configured server; absent if the server is not pinned. */
export interface Match {
  readonly entry: LockedServer | undefined;
  readonly isSame: boolean;
}

/** The names, other than the server's own, that decide which entry matches it. */
interface Matching {
  /** The names that configurations have for servers. */
  readonly configured: ReadonlySet<string>;
  /** The names that the command line adds to each launch. */
  readonly added?: AddedNames | undefined;
}

/**
 * Finds the lock entry of a server by the name in its guard, by the source that was recorded when the server was
 * pinned, or else by its own name, to which `init` may have added the client.
 */
export function matchServer(
  { servers, sources = [] }: LockFile,
  server: ConfiguredServer,
  { configured, added = { env: [], header: [] } }: Matching,
): Match {
  const { name, config, client, place, compared } = server;
  const source = sources.find((each) => each.config === config && each.entry === name);
  const known = place.guardedAs ?? source?.server;
  const names = known === undefined ? [...(client ? [`${name}-${client.id}`] : []), name] : [known];
  const named = names.flatMap((each) => servers.find((entry) => entry.name === each) ?? []);
  // A server that was pinned by its command alone has a name that no configuration has.
  const others = known === undefined ? servers.filter((entry) => !configured.has(entry.name)) : [];
  const candidates = named.length > 0 ? named : others;
  const same = candidates.find(
    (entry) => isLockedLaunch(entry, compared) || isLockedLaunch(entry, withNames(compared, added)),
  );
  return { entry: same ?? named[0], isSame: same !== undefined };
}
