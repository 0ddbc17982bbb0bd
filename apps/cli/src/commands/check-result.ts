import { driftToReport } from "@agentprint/domain-reports/lock";
import type { LockFile } from "@agentprint/mcp-lock";
import { checkLockLazily } from "@agentprint/mcp-lock/check";
import type { ExitCode, Finding, Report } from "@agentprint/report";
import type { Context } from "../context.ts";
import { reasonOf } from "../errors.ts";
import { writeState } from "../guard/state-file.ts";
import { statesOfCheck } from "../guard/states-of-check.ts";
import { approveLine, offerApproval } from "../launch/approve-line.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import { reviewedDigest } from "../lock/reviewed-digest.ts";
import { type PolicyJudgement, withPolicyFindings } from "../policy/judge-policy.ts";
import { leavesOut, reportByPolicy } from "../policy/report-by-policy.ts";
import { LOCK_RULES } from "../rules/lock-rules.ts";
import { printNotices } from "../terminal/notices.ts";
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
  readonly judgement: PolicyJudgement;
  readonly targets: readonly ServerTarget[];
  readonly snapshots: readonly SnapshotResult[];
  /** What the lock accepts beyond that of a base, where there is one. */
  readonly notes?: readonly Finding[] | undefined;
}

/** Writes what changed, why servers have no answers, and how each change is accepted; returns the exit code. */
export async function reportCheck(
  context: Context,
  { lock, lockText, judgement, targets, snapshots, notes }: Visited,
  options: VisitOptions & ReportOptions,
  launched: readonly string[],
): Promise<ExitCode> {
  const drift = await checkLockLazily(lock, answersByName(snapshots), { only: targets.map(({ name }) => name) });
  const whole = driftToReport(drift, { lockFile: options.lock, lockText });
  // A launch that the command line gave is not the one that clients start.
  if (launched.length === 0 && options.url === undefined && options.mcpConfig === undefined) {
    const states = statesOfCheck(drift, whole.findings, lock, judgement.policy.policy, new Date());
    await writeState(context, options.lock, { lock, text: lockText }, states).catch((error: unknown) => {
      printNotices(context, [`what was found is not kept for the hook of a client: ${reasonOf(error)}`]);
    });
  }
  const byPolicy = reportByPolicy(context, whole, judgement.policy);
  const leftOut = drift.servers.map(({ server }) => server).filter((server) => leavesOut(whole, byPolicy, server));
  const report = leftOut.length === 0 ? byPolicy : { ...byPolicy, data: { ...drift, leftOut } };
  const exitCode = await writeReport(context, withPolicyFindings(withNotes(report, notes), judgement), options);
  const isShown = isReadAsText(options);
  for (const snapshot of snapshots) {
    if ("error" in snapshot) printError(context, snapshot.error, snapshot.name, isShown);
  }
  if (!isShown) return exitCode;
  const { dim } = context.colorsOf(context.stdout);
  if (judgement.approve !== undefined) {
    context.stdout.write(`${dim(`To accept this policy after review, run: ${judgement.approve}`)}\n`);
  }
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
    const line = approveLine(partly, options, launched);
    context.stdout.write(`${dim(`The policy leaves out some of what changed; to review all of it, run: ${line}`)}\n`);
  }
  return exitCode;
}

/** A report with notes that no policy decides about. */
function withNotes(report: Report, notes: readonly Finding[] = []): Report {
  if (notes.length === 0) return report;
  const subjects = notes.map(({ place }) => place.subject);
  return {
    ...report,
    findings: [...report.findings, ...notes],
    rules: { ...report.rules, ...LOCK_RULES },
    checked: [...new Set([...report.checked, ...subjects])],
  };
}
