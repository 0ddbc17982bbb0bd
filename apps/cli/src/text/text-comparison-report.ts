import type { TextComparison } from "@agentprint/content-hash";
import {
  COMPARISON_RULES,
  comparisonFindings,
  differenceInWords,
  type ScaleLevel,
} from "@agentprint/content-hash/rules";
import type { Report } from "@agentprint/findings";

/** Returns the report on whether two texts are equal at a level, and on the first level at which they are. */
export function comparisonReport(
  [before, after]: readonly [string, string],
  comparison: TextComparison,
  level: ScaleLevel,
): Report {
  const { equalAt, formattingOnly, warnings } = comparison;
  const subject = `${before} ↔ ${after}`;
  const findings = comparisonFindings(comparison, level, subject);
  const equal = !findings.some(({ rule }) => rule === "text/differs");
  return {
    command: "agentprint text compare",
    title: "agentprint text compare",
    summary: differenceInWords(comparison),
    outcome: equal ? "same" : "drift",
    findings,
    rules: COMPARISON_RULES,
    checked: [subject],
    data: { before, after, level, equal, equalAt, formattingOnly, warnings },
  };
}
