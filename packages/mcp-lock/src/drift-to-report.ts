import type { Report } from "@agentprint/report";
import type { DriftReport, ServerDrift } from "./drift.ts";
import { collisionFinding, type DriftFinding, subjectOf } from "./drift-findings.ts";
import { ITEM_KINDS } from "./item-kinds.ts";
import { lockLines } from "./lock-lines.ts";
import { DRIFT_RULES } from "./rules.ts";
import { serverFindings } from "./server-findings.ts";
import { summarizeDrift } from "./summarize-drift.ts";

/** Where a report points to. */
export interface DriftToReportOptions {
  /** Path of the lock file, for the formats that annotate files. */
  readonly lockFile?: string;
  /** The text of that file: findings then point to the lines of its entries. */
  readonly lockText?: string | Uint8Array;
}

/**
 * The report of a drift, for every format that `@agentprint/report` writes.
 *
 * @throws {McpLockError} as `parseLock` does, where there is a finding and `lockText` is no lock file
 */
export function driftToReport(drift: DriftReport, options: DriftToReportOptions = {}): Report {
  const { lockFile: file, lockText } = options;
  let lines: ReadonlyMap<string, number> | undefined;
  const locate = (finding: DriftFinding, server?: string): DriftFinding => {
    if (file === undefined) return finding;
    lines ??= lockText === undefined ? new Map<string, number>() : lockLines(lockText);
    const line = lines.get(finding.subject) ?? lines.get(server ?? "");
    return { ...finding, location: { file, ...(line !== undefined && { line }) } };
  };
  return {
    command: "agentprint check",
    title: "agentprint check",
    summary: summarizeDrift(drift),
    outcome: drift.outcome,
    findings: [
      ...drift.servers.flatMap((server) => serverFindings(server).map((finding) => locate(finding, server.server))),
      ...drift.collisions.map((collision) => locate(collisionFinding(collision))),
    ],
    rules: DRIFT_RULES,
    checked: drift.servers.flatMap(checkedSubjects),
    data: drift,
  };
}

function checkedSubjects({ server, checked }: ServerDrift): string[] {
  return [server, ...ITEM_KINDS.flatMap((kind) => checked[kind].map((name) => subjectOf(server, kind, name)))];
}
