import { compareCodeUnits } from "@agentprint/canonical-json";
import { isVersion1, type LockEntry, type LockFile } from "../lock/lock.ts";
import { upgradeEntry } from "../lock/upgrade-entry.ts";
import { compared } from "./check-server.ts";
import { allNames, toolNames, worst } from "./check-servers.ts";
import { stateOfV1 } from "./compared-state.ts";
import { diffServers } from "./diff-servers.ts";
import { diffStates } from "./diff-states.ts";
import type { Drift, DriftReport } from "./drift.ts";
import { SchemaJudge } from "./judge-schemas.ts";

/**
 * Compares the entries of the servers that two locks have in common: what somebody accepted between the two. Servers that only
 * one of the locks has are not in the report. Sessions that only the first lock has are compared with nothing.
 *
 * @example
 * ```ts
 * import { diffLocks, driftFindings } from "@agentprint/mcp-lock";
 *
 * console.log(driftFindings(diffLocks(lock, lock))); // []
 * ```
 */
export function diffLocks(before: LockFile, after: LockFile): DriftReport {
  const entries = new Map(after.servers.map((entry) => [entry.name, entry]));
  const servers = [...before.servers]
    .sort((a, b) => compareCodeUnits(a.name, b.name))
    .flatMap((entry) => {
      const other = entries.get(entry.name);
      if (other === undefined) return [];
      return [{ ...compared(entry.name, entry, other, diffEntries(entry, other)), remarks: [] }];
    });
  return {
    outcome: servers.length === 0 ? "same" : worst(servers.map(({ outcome }) => outcome)),
    servers,
    collisions: [],
    names: allNames(before, toolNames(after, new Map())),
  };
}

function diffEntries(before: LockEntry, after: LockEntry): Drift[] {
  if (before.digest === after.digest) return [];
  const judge = new SchemaJudge();
  if (isVersion1(before) && isVersion1(after)) return diffStates(stateOfV1(before), stateOfV1(after), judge);
  const [from, to] = [before, after].map((entry) => (isVersion1(entry) ? upgradeEntry(entry) : entry));
  return from && to ? diffServers(from, to, judge) : [];
}
