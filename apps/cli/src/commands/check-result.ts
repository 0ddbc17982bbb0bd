import type { LockFile } from "@agentprint/mcp-lock";
import { checkLockLazily } from "@agentprint/mcp-lock/check";
import type { ExitCode } from "@agentprint/report";
import type { Context } from "../context.ts";
import { approveLine, offerApproval } from "../launch/approve-line.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import { driftToReport } from "../report/drift-report.ts";
import { printError } from "../terminal/report-error.ts";
import { isReadAsText, type ReportOptions } from "../terminal/report-options.ts";
import { writeReport } from "../terminal/write-report.ts";
import { answersByName, type SnapshotResult } from "../visit/take-snapshots.ts";
import type { VisitOptions } from "../visit-options.ts";

/** Servers that were visited, and the lock that they are compared with. */
interface Visited {
  readonly lock: LockFile;
  /** The lock as the file has it. */
  readonly lockText: Uint8Array;
  readonly targets: readonly ServerTarget[];
  readonly snapshots: readonly SnapshotResult[];
}

/** Writes what changed, why servers have no answers, and how each change is accepted; returns the exit code. */
export async function reportCheck(
  context: Context,
  { lock, lockText, targets, snapshots }: Visited,
  options: VisitOptions & ReportOptions,
  launched: readonly string[],
): Promise<ExitCode> {
  const drift = await checkLockLazily(lock, answersByName(snapshots), { only: targets.map(({ name }) => name) });
  const report = driftToReport(drift, { lockFile: options.lock, lockText });
  const exitCode = await writeReport(context, report, options);
  const isShown = isReadAsText(options);
  for (const snapshot of snapshots) {
    if ("error" in snapshot) printError(context, snapshot.error, snapshot.name, isShown);
  }
  if (!isShown) return exitCode;
  for (const { server, outcome, digest } of drift.servers) {
    const target = targets.find(({ name }) => name === server);
    if (outcome !== "drift" || digest.before === undefined || target === undefined) continue;
    const approve = approveLine(target, options, launched, digest.after);
    context.stdout.write(offerApproval(context, report, server, approve, options));
  }
  return exitCode;
}
