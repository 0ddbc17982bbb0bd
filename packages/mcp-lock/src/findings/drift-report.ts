import type { Finding, Report } from "@agentprint/findings";
import { checkArgument } from "../check-argument.ts";
import type { DriftReport } from "../drift/drift.ts";
import { DRIFT_RULES } from "./drift-rules.ts";
import { eventInWords } from "./event-in-words.ts";
import type { DriftFinding } from "./finding.ts";
import { lockLines } from "./lock-lines.ts";
import { driftFindings } from "./server-findings.ts";
import { checkedSubjects, summarizeDrift } from "./summarize-drift.ts";

/** The lock file that the drift report points to. */
export interface LockPlace {
  /** The path of the lock file, for formats that annotate files. */
  readonly lockFile?: string;
  /** The text of that file; if present, findings point to the lines of its entries. */
  readonly lockText?: string | Uint8Array;
}

/**
 * Returns the report about servers that were compared with their lock entries.
 *
 * @param drift The result of `checkLock` or `diffLocks`
 * @param place The lock file and its text
 * @throws {McpLockError} as `parseLock` does, if there is a finding and `lockText` is not a lock
 * @example
 * ```ts
 * import { createLock, diffLocks } from "@agentprint/mcp-lock";
 * import { driftToReport } from "@agentprint/mcp-lock/rules";
 *
 * const lock = createLock({});
 * console.log(driftToReport(diffLocks(lock, lock)).summary); // nothing was checked
 * ```
 */
export function driftToReport(drift: DriftReport, place: LockPlace = {}): Report {
  checkArgument("drift", drift, "object");
  checkArgument("place", place, "object");
  const { lockFile: file, lockText } = place;
  let lines: ReadonlyMap<string, number> | undefined;
  const locate = (finding: DriftFinding): Finding => {
    const { place } = finding;
    if (file === undefined) return finding;
    lines ??= lockText === undefined ? new Map<string, number>() : lockLines(lockText);
    const line = lines.get(place.subject) ?? lines.get(place.server ?? "");
    return { ...finding, place: { ...place, location: { file, ...(line !== undefined && { line }) } } };
  };
  return {
    command: "agentprint check",
    title: "agentprint check",
    summary: summarizeDrift(drift),
    ...(drift.outcome === "unknown" && drift.servers.length === 0 && { couldNotTell: summarizeDrift(drift) }),
    findings: driftFindings(drift).map(locate),
    rules: DRIFT_RULES,
    servers: drift.servers.map((each) => ({
      server: each.server,
      ...(each.digest.after !== undefined && { tools: each.checked.tool.length }),
      outcome: each.outcome,
      ...(each.outcome !== "unknown" && each.drifts.length > 0 && { event: eventInWords(each) }),
    })),
    checked: drift.servers.flatMap(checkedSubjects),
    data: drift,
  };
}
