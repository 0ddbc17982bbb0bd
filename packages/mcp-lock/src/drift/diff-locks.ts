import { compareCodeUnits } from "@agentprint/canonical-json";
import { worstOutcome } from "@agentprint/findings";
import { checkArgument, LOCK } from "../check-argument.ts";
import type { LockedServer, LockFile } from "../lock/lock.ts";
import { compared } from "./check-server.ts";
import { allNames, toolNames } from "./check-servers.ts";
import type { Renames } from "./declared-renames.ts";
import { diffServers } from "./diff-servers.ts";
import type { Drift, DriftReport } from "./drift.ts";
import { SchemaJudge } from "./judge-schemas.ts";
import { diffLockedRest } from "./locked-rest.ts";
import { partChanged } from "./part-changed.ts";
import { varyingMembers } from "./remarks.ts";

/**
 * Compares the entries of the servers that two locks have in common, to show the changes that were accepted between the
 * two: entries with different digests always have a difference. Servers that only one of the locks has are not in the
 * report.
 *
 * @param declared The tool renames that the servers' authors declare, old names first
 * @example
 * ```ts
 * import { diffLocks, driftFindings } from "@agentprint/mcp-lock";
 *
 * console.log(driftFindings(diffLocks(lock, lock))); // []
 * ```
 */
export function diffLocks(before: LockFile, after: LockFile, declared?: Renames): DriftReport {
  checkArgument("before", before, LOCK);
  checkArgument("after", after, LOCK);
  const entries = new Map(after.servers.map((entry) => [entry.name, entry]));
  const servers = [...before.servers]
    .sort((a, b) => compareCodeUnits(a.name, b.name))
    .flatMap((entry) => {
      const other = entries.get(entry.name);
      if (other === undefined) return [];
      const drifts = diffServers(entry, other, new SchemaJudge(), diffLockedRest, declared);
      const all = drifts.length > 0 ? drifts : diffDigests(entry, other);
      return [{ ...compared(entry.name, entry, other, all), remarks: varyingMembers(other) }];
    });
  return {
    outcome: worstOutcome(servers.map(({ outcome }) => outcome)),
    servers,
    collisions: [],
    names: allNames(before, toolNames(after, new Map())),
  };
}

/** Returns the difference between entries whose values are written in another order, or otherwise differ for no rule. */
function diffDigests({ digest: before }: LockedServer, { digest: after }: LockedServer): Drift[] {
  return partChanged("entry", before === after ? [] : [{ pointer: "/digest", before, after }]);
}
