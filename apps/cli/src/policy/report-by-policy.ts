import { type Finding, type JudgedReport, judgeReport, type Report } from "@agentprint/findings";
import { type ApplyPolicyOptions, applyPolicy } from "@agentprint/policy/apply";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import type { ReadPolicy } from "./read-policy.ts";

/** The options for applying a policy today. */
type ReportByPolicyOptions = Omit<ApplyPolicyOptions, "today">;

/**
 * Returns a report under a policy: the findings with the policy's levels, without those that it leaves out, and the
 * outcome.
 */
export function reportByPolicy(
  context: Context,
  report: Report,
  { policy, file, notices }: ReadPolicy,
  given: ReportByPolicyOptions = {},
): JudgedReport {
  const { findings, counting, ignored, expired } = applyPolicy(report.findings, policy, { ...given, today: today() });
  printNotices(context, [
    ...notices,
    ...expired.map(({ rule, until, reason }) => `${file}: the ignore of ${rule} ended on ${until} (${reason})`),
  ]);
  const summary = ignored === 0 ? report.summary : `${report.summary} (${ignored} ignored)`;
  const judged = judgeReport({ ...report, summary, findings }, (finding) => counting.has(finding));
  return {
    ...judged,
    findings: findings.map((finding) => {
      const isAllowed = finding.level !== "note" && !finding.couldNotTell && !counting.has(finding);
      return isAllowed ? { ...finding, isAllowed } : finding;
    }),
  };
}

/**
 * Returns the findings of a report under a policy for an approval, in which those that the policy leaves out become
 * notes.
 */
export function wholeFindingsByPolicy(
  { findings }: Report,
  { policy }: ReadPolicy,
  given: ReportByPolicyOptions = {},
): Finding[] {
  return findings.map((finding): Finding => {
    const [left] = applyPolicy([finding], policy, { ...given, today: today() }).findings;
    const note = [finding.note, "The policy leaves this out of a check"].filter(Boolean).join(". ");
    return left ?? { ...finding, level: "note", note };
  });
}

/** Returns whether a policy leaves out a finding about a server. */
export function leavesOut(whole: readonly Finding[], shown: readonly Finding[], server: string): boolean {
  const count = (findings: readonly Finding[]): number =>
    findings.filter(({ place }) => place.server === server).length;
  return count(whole) > count(shown);
}

/** Returns the current day in UTC, `YYYY-MM-DD`. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}
