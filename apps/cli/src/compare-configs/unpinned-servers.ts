import type { Launch } from "@agentprint/launch";
import { redactLaunch } from "@agentprint/launch/redact";
import type { LockFile } from "@agentprint/mcp-lock/lock";
import type { FoundServer } from "../clients/find-servers.ts";
import type { Context } from "../run/context.ts";
import { comparedOf } from "./configured-server.ts";
import { isLockedLaunch } from "./same-launch.ts";

/** A server of clients' configurations that is not pinned. */
export interface UnpinnedServer {
  readonly name: string;
  /** The configurations that contain the server. */
  readonly configs: readonly string[];
  /** `other-launch`: the lock has an entry with this name, but its command or address differs. */
  readonly reason: "not-in-lock" | "other-launch";
  /** The launch, without its secrets. */
  readonly launch: Launch;
}

/** Returns the servers of clients' configurations that the lock lacks, or has with a different launch. */
export function unpinnedServers(context: Context, lock: LockFile, servers: readonly FoundServer[]): UnpinnedServer[] {
  const entries = new Map(lock.servers.map((entry) => [entry.name, entry]));
  return servers.flatMap(({ name, target, places }): UnpinnedServer[] => {
    const launch = redactLaunch(target.launch);
    const unpinned = { name, configs: places.map(({ file }) => file), launch };
    const entry = entries.get(places.find(({ guardedAs }) => guardedAs !== undefined)?.guardedAs ?? name);
    if (entry === undefined) return [{ ...unpinned, reason: "not-in-lock" }];
    if (isLockedLaunch(entry, comparedOf(context, target))) return [];
    return [{ ...unpinned, reason: "other-launch" }];
  });
}
