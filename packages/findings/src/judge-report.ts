import { checkArgument } from "./check-argument.ts";
import type { Finding } from "./finding.ts";
import type { Outcome } from "./outcome.ts";
import type { JudgedReport, Report } from "./report.ts";

/** The members of a report on which its outcome depends. */
export interface Judged<Found> extends Pick<Report, "couldNotTell" | "differs"> {
  readonly findings: readonly Found[];
}

/**
 * Decides the outcome of a check; only here do findings become an exit code.
 *
 * @param counts returns whether a finding counts as a difference; by default, warnings and errors count, except remarks
 * and findings that a policy lets pass
 * @example
 * ```ts
 * import { outcomeOf } from "@agentprint/findings";
 *
 * console.log(outcomeOf({ findings: [], couldNotTell: "nothing was checked" })); // unknown
 * ```
 */
export function outcomeOf<Found extends Pick<Finding, "level" | "couldNotTell" | "isAllowed" | "isRemark">>(
  judged: Judged<Found>,
  counts: (finding: Found) => boolean = isDifference,
): Outcome {
  checkArgument("judged", judged, { findings: ["object"] });
  const { findings, couldNotTell, differs } = judged;
  if (differs) return "drift";
  if (couldNotTell !== undefined || findings.some((finding) => finding.couldNotTell)) return "unknown";
  return findings.some(counts) ? "drift" : "same";
}

function isDifference({ level, isAllowed, isRemark }: Pick<Finding, "level" | "isAllowed" | "isRemark">): boolean {
  return level !== "note" && !isAllowed && !isRemark;
}

/**
 * Returns a report with the outcome that {@link outcomeOf} decides.
 *
 * @example
 * ```ts
 * import { judgeReport } from "@agentprint/findings";
 *
 * const report = { command: "clocks", title: "Clocks", summary: "all go", findings: [], rules: {}, checked: ["hall"], data: {} };
 * console.log(judgeReport(report).outcome); // same
 * ```
 */
export function judgeReport(report: Report, counts?: (finding: Finding) => boolean): JudgedReport {
  checkArgument("report", report, { findings: ["object"] });
  const { couldNotTell, differs, ...found } = report;
  return { ...found, outcome: outcomeOf(report, counts) };
}

/**
 * Combines several outcomes: returns `unknown` if one of them is `unknown`, else `drift` if one of them is `drift`,
 * else `same`.
 *
 * @example
 * ```ts
 * import { worstOutcome } from "@agentprint/findings";
 *
 * console.log(worstOutcome(["same", "drift"])); // drift
 * ```
 */
export function worstOutcome(outcomes: readonly Outcome[]): Outcome {
  checkArgument("outcomes", outcomes, "array");
  return (["unknown", "drift"] as const).find((outcome) => outcomes.includes(outcome)) ?? "same";
}
