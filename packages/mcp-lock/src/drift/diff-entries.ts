import { checkArgument, ENTRY } from "../check-argument.ts";
import { LOCK_VERSION, type LockedServer, type LockFile } from "../lock/lock.ts";
import { sealServer } from "../lock/lock-server.ts";
import type { Renames } from "./declared-renames.ts";
import { diffLocks } from "./diff-locks.ts";
import type { DriftReport } from "./drift.ts";

/**
 * Compares two entries as states of one server, under the second entry's name, ignoring how each is started.
 *
 * @param declared The tool renames that the server's author declares, old names first
 * @example
 * ```ts
 * import { diffEntries, driftFindings } from "@agentprint/mcp-lock";
 *
 * const [entry] = lock.servers;
 * if (entry) console.log(driftFindings(diffEntries(entry, entry))); // []
 * ```
 */
export function diffEntries(before: LockedServer, after: LockedServer, declared?: Renames): DriftReport {
  checkArgument("before", before, ENTRY);
  checkArgument("after", after, ENTRY);
  const [was, is] = [before, after].map((entry) => entryAsLaunched(entry, after)) as [LockedServer, LockedServer];
  return diffLocks(lockOf(was), lockOf(is), declared);
}

function lockOf(entry: LockedServer): LockFile {
  return { lockVersion: LOCK_VERSION, servers: [entry] };
}

/**
 * Returns an entry with the name and the launch of another one, without whatever the digests of its own launch cover.
 *
 * @example
 * ```ts
 * import { entryAsLaunched } from "@agentprint/mcp-lock";
 *
 * const [entry] = lock.servers;
 * if (entry) console.log(entryAsLaunched(entry, { ...entry, name: "other" }).name); // other
 * ```
 */
export function entryAsLaunched(entry: LockedServer, launched: Pick<LockedServer, "name" | "launch">): LockedServer {
  checkArgument("entry", entry, ENTRY);
  checkArgument("launched", launched, { name: "string", launch: "object" });
  const { name, launch } = launched;
  const { files: _files, coverage: _coverage, artifacts: _artifacts, ...rest } = entry;
  const { toolsDigest: _tools, digest: _digest, setHashes: _sets, ...state } = rest;
  return sealServer({ ...state, name, launch });
}
