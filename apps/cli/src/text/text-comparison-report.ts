import type { TextComparison } from "@agentprint/content-hash";
import {
  COMPARISON_RULES,
  comparisonFindings,
  differenceInWords,
  type ScaleLevel,
} from "@agentprint/content-hash/rules";
import type { Finding, Report } from "@agentprint/findings";

interface ComparisonOptions {
  readonly level: ScaleLevel;
  /** Whether a difference in formatting that may change the meaning counts as a difference. */
  readonly strict: boolean;
}

/** Returns the report on whether two texts are equal at a level, and on the first level at which they are. */
export function comparisonReport(
  [before, after]: readonly [string, string],
  comparison: TextComparison,
  { level, strict }: ComparisonOptions,
): Report {
  const { equalAt, formattingOnly, warnings } = comparison;
  const subject = `${before} ↔ ${after}`;
  const findings = comparisonFindings(comparison, level, subject).map(
    (finding): Finding =>
      strict && finding.rule === "text/meaningful-white-space" ? { ...finding, level: "error" } : finding,
  );
  const equal = !findings.some((finding) => finding.level === "error");
  return {
    command: "agentprint text compare",
    title: "agentprint text compare",
    summary: differenceInWords(comparison),
    findings,
    rules: COMPARISON_RULES,
    checked: [subject],
    data: { before, after, level, equal, equalAt, formattingOnly, warnings },
  };
}
