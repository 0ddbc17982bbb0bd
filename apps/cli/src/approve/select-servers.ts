import type { LockedServer, LockFile } from "@agentprint/mcp-lock/lock";
import { findEntry } from "../lock/find-entry.ts";
import { CliError } from "../run/errors.ts";
import { unknownName } from "../terminal/unknown-name.ts";

interface Selection {
  readonly lock: string;
  readonly all: boolean;
  readonly from?: string;
}

/**
 * Returns the entries that a command line selects for approval: the named ones, all of them, or those whose change a
 * report shows.
 *
 * @param shown The servers whose change the report shows, if there is a report
 * @throws CliError `usage` when it selects none, both all and some, or a server that the lock or the report lacks
 */
export function selectServers(
  lock: LockFile,
  names: readonly string[],
  { lock: file, all, from }: Selection,
  shown: readonly string[] | undefined,
): LockedServer[] {
  if (all && names.length > 0) {
    throw new CliError("usage", "--all and the names of servers exclude each other", {
      expected: "agentprint approve <server…>, or agentprint approve --all",
    });
  }
  if (all) return [...lock.servers];
  const unshown = names.find((name) => shown?.includes(name) === false);
  if (unshown !== undefined) throw unknownName(`${from} shows no change of ${unshown}`, unshown, shown ?? []);
  const selected = names.length > 0 ? new Set(names) : shown;
  if (selected !== undefined) return [...selected].map((name) => findEntry(lock, name, file));
  throw new CliError("usage", "approve needs the names of servers", {
    expected: "agentprint approve <server…>, or agentprint approve --all",
  });
}
