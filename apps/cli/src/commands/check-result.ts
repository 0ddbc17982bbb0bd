import type { LockFile } from "@agentprint/mcp-lock";
import { checkLockLazily } from "@agentprint/mcp-lock/check";
import type { ExitCode } from "@agentprint/report";
import type { Context } from "../context.ts";
import { approveLine, offerApproval } from "../launch/approve-line.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import { reviewedDigest } from "../lock/reviewed-digest.ts";
import type { ReadPolicy } from "../policy/read-policy.ts";
import { leavesOut, reportByPolicy } from "../policy/report-by-policy.ts";
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
  readonly policy: ReadPolicy;
  readonly targets: readonly ServerTarget[];
  readonly snapshots: readonly SnapshotResult[];
}

/** Writes what changed, why servers have no answers, and how each change is accepted; returns the exit code. */
export async function reportCheck(
  context: Context,
  { lock, lockText, policy, targets, snapshots }: Visited,
  options: VisitOptions & ReportOptions,
  launched: readonly string[],
): Promise<ExitCode> {
  const drift = await checkLockLazily(lock, answersByName(snapshots), { only: targets.map(({ name }) => name) });
  const whole = driftToReport(drift, { lockFile: options.lock, lockText });
  const byPolicy = reportByPolicy(context, whole, policy);
  const leftOut = drift.servers.map(({ server }) => server).filter((server) => leavesOut(whole, byPolicy, server));
  const report = leftOut.length === 0 ? byPolicy : { ...byPolicy, data: { ...drift, leftOut } };
  const exitCode = await writeReport(context, report, options);
  const isShown = isReadAsText(options);
  for (const snapshot of snapshots) {
    if ("error" in snapshot) printError(context, snapshot.error, snapshot.name, isShown);
  }
  if (!isShown) return exitCode;
  const digests = new Map(
    drift.servers.flatMap(({ server, outcome, digest: { before, after } }) =>
      outcome === "drift" && before !== undefined && after !== undefined ? [[server, after] as const] : [],
    ),
  );
  const targetsOf = (names: readonly string[]) => targets.filter(({ name }) => names.includes(name));
  const lineOf = (names: readonly string[]): string => {
    const states = names.map((name) => ({ name, digest: digests.get(name) ?? "" }));
    return approveLine(targetsOf(names), options, launched, reviewedDigest(states));
  };
  const drifted = [...digests.keys()];
  const wholly = drifted.filter((name) => !leftOut.includes(name));
  context.stdout.write(await offerApproval(context, report, wholly, lineOf, options));
  const partly = targetsOf(drifted.filter((name) => leftOut.includes(name)));
  if (partly.length > 0) {
    const { dim } = context.colorsOf(context.stdout);
    const line = approveLine(partly, options, launched);
    context.stdout.write(`${dim(`The policy leaves out some of what changed; to review all of it, run: ${line}`)}\n`);
  }
  return exitCode;
}
