import { compareCodeUnits } from "@agentprint/canonical-json";
import { worstOutcome } from "@agentprint/findings";
import { checkArgument, LOCK } from "../check-argument.ts";
import type { LockFile } from "../lock/lock.ts";
import { compared } from "./check-server.ts";
import { allNames, toolNames } from "./check-servers.ts";
import type { Renames } from "./declared-renames.ts";
import { diffServers } from "./diff-servers.ts";
import type { DriftReport } from "./drift.ts";
import { SchemaJudge } from "./judge-schemas.ts";
import { varyingMembers } from "./remarks.ts";

/**
 * Compares the entries of the servers that two locks have in common, to show the changes that were accepted between the
 * two. Servers that only one of the locks has are not in the report. Sessions that only the first lock has are not
 * compared.
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
      const drifts = diffServers(entry, other, new SchemaJudge(), declared);
      return [{ ...compared(entry.name, entry, other, drifts), remarks: varyingMembers(other) }];
    });
  return {
    outcome: worstOutcome(servers.map(({ outcome }) => outcome)),
    servers,
    collisions: [],
    names: allNames(before, toolNames(after, new Map())),
  };
}
