import type { Finding, Report } from "@agentprint/findings";
import { type ApplyPolicyOptions, applyPolicy, DEFAULT_POLICY } from "@agentprint/policy/apply";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import type { ReadPolicy } from "./read-policy.ts";

/** The options for applying a policy today. */
type ReportByPolicyOptions = Omit<ApplyPolicyOptions, "today">;

/**
 * Returns a report under a policy: the findings with the policy's levels, without those it leaves out, and the outcome.
 */
export function reportByPolicy(
  context: Context,
  report: Report,
  { policy, file, notices }: ReadPolicy,
  given: ReportByPolicyOptions = {},
): Report {
  const options = { ...given, today: today() };
  const { findings, counting, outcome, ignored, expired } = applyPolicy(report.findings, policy, options);
  printNotices(context, [
    ...notices,
    ...expired.map(({ rule, until, reason }) => `${file}: the ignore of ${rule} ended on ${until} (${reason})`),
  ]);
  // A policy decides only about findings: unreadable input, or hashes alone that differ, have none.
  const untold =
    applyPolicy(report.findings, DEFAULT_POLICY, { ...options, isAccepted: () => false }).outcome === "same" &&
    report.outcome === "drift";
  return {
    ...report,
    findings: findings.map((finding) => {
      const isAllowed = finding.level !== "note" && !finding.couldNotTell && !counting.has(finding);
      return isAllowed ? { ...finding, isAllowed } : finding;
    }),
    summary: ignored === 0 ? report.summary : `${report.summary} (${ignored} ignored)`,
    outcome: report.outcome === "unknown" || outcome === "unknown" ? "unknown" : untold ? "drift" : outcome,
  };
}

/** Returns a report under a policy for an approval: findings that the policy leaves out become notes. */
export function wholeReportByPolicy(report: Report, { policy }: ReadPolicy, given: ReportByPolicyOptions = {}): Report {
  const findings = report.findings.map((finding): Finding => {
    const [left] = applyPolicy([finding], policy, { ...given, today: today() }).findings;
    const note = [finding.note, "The policy leaves this out of a check"].filter(Boolean).join(". ");
    return left ?? { ...finding, level: "note", note };
  });
  return { ...report, findings };
}

/** Whether a policy leaves out a finding about a server. */
export function leavesOut(whole: Report, shown: Report, server: string): boolean {
  const count = ({ findings }: Report): number => findings.filter(({ place }) => place.server === server).length;
  return count(whole) > count(shown);
}

/** Returns the current day in UTC, `YYYY-MM-DD`. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}
