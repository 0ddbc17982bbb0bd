import type { Finding } from "@agentprint/findings";
import { itemName } from "@agentprint/mcp";
import {
  type DriftReport,
  diffEntries,
  diffLocks,
  entryAsLaunched,
  type LockedServer,
  type LockFile,
  lockAsPinned,
  varyingFindings,
} from "@agentprint/mcp-lock";
import { itemsInWords, launchInWords } from "../lock/entry-summary.ts";
import { CliError } from "../run/errors.ts";
import type { Side } from "./read-side.ts";

/** The differences between two sides, and the servers that only one of them has. */
interface ComparedSides {
  readonly drift: DriftReport;
  readonly others: readonly Finding[];
}

/**
 * Compares two sides. A server that is compared with a lock gets the pinned values of the members that vary. Two
 * servers are compared under one name, and their different launches are not a difference here.
 *
 * @throws {@link CliError} `usage` when one side is a server, and the other one a lock of several
 */
export function compareSides(before: Side, after: Side): ComparedSides {
  if ("lock" in before && "lock" in after) {
    return { drift: diffLocks(before.lock, after.lock), others: othersOf(before.lock, after.lock) };
  }
  const pinned = "lock" in before ? before : after;
  const visited = "lock" in before ? after : before;
  if ("lock" in visited || !("lock" in pinned))
    return { drift: diffEntries(entryOf(before), entryOf(after)), others: [] };
  const locked = entryOf(pinned);
  const live = entryAsLaunched(lockAsPinned(locked, visited.answers), visited.entry);
  const [was, is] = pinned === before ? [locked, live] : [live, locked];
  const names = [locked.name, ...locked.tools.map(({ definition }) => itemName("tool", definition))];
  const served = { ...locked, name: visited.entry.name };
  return { drift: diffEntries(was, is), others: varyingFindings(served, visited.answers, names) };
}

/**
 * Returns the one server of a side.
 *
 * @throws {@link CliError} `usage` when the side is a lock of several servers
 */
export function entryOf(side: Side): LockedServer {
  if ("entry" in side) return side.entry;
  const [only, ...others] = side.lock.servers;
  if (only !== undefined && others.length === 0) return only;
  throw new CliError("usage", "a lock of several servers cannot be compared with one server", {
    expected: "two locks, or two servers; a lock of one server counts as that server",
  });
}

/** Returns the servers that only one of two locks has. */
function othersOf(before: LockFile, after: LockFile): Finding[] {
  const names = ({ servers }: LockFile) => new Set(servers.map(({ name }) => name));
  const [was, is] = [names(before), names(after)];
  return [
    ...before.servers.filter(({ name }) => !is.has(name)).map((entry) => ofServer(entry, "removed")),
    ...after.servers.filter(({ name }) => !was.has(name)).map((entry) => ofServer(entry, "added")),
  ];
}

function ofServer(entry: LockedServer, what: "added" | "removed"): Finding {
  const value = `${launchInWords(entry)}, ${itemsInWords(entry)}`;
  return {
    rule: `lock/server-${what}`,
    level: what === "added" ? "warning" : "error",
    place: { subject: entry.name, server: entry.name },
    message: `server ${what}`,
    ...(what === "added" ? { after: value } : { before: value }),
  };
}
