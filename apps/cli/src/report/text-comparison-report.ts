import type { NormalizationLevel, TextComparison } from "@agentprint/content-hash";
import { COMPARISON_RULES } from "@agentprint/content-hash/rules";
import { type Finding, findingKinds, type Report } from "@agentprint/findings";

/** The levels in order: texts that are equal at one level are equal at the next. */
export type ScaleLevel = Exclude<NormalizationLevel, "lagovista">;

const SCALE: readonly ScaleLevel[] = ["bytes", "eol", "trailing", "whitespace"];

const WHAT_DIFFERS: Record<ScaleLevel, string> = {
  bytes: "nothing differs",
  eol: "only line ends or a byte order mark differ",
  trailing: "only white space at the end of lines or newlines at the end differ",
  whitespace: "only white space differs",
};

/** Returns the report on whether two texts are equal at a level, and on the first level at which they are. */
export function comparisonReport(
  [before, after]: readonly [string, string],
  { equalAt, formattingOnly, warnings }: TextComparison,
  level: ScaleLevel,
): Report {
  const equal = equalAt !== null && SCALE.indexOf(equalAt) <= SCALE.indexOf(level);
  const what = equalAt === null ? "the content differs" : WHAT_DIFFERS[equalAt];
  const subject = `${before} ↔ ${after}`;
  const difference: Finding = equal
    ? finding("text/formatting-differs", what, subject)
    : finding("text/differs", `${what}, at level ${level}`, subject);
  const meaning = warnings.map((message) => finding("text/meaningful-white-space", message, subject));
  return {
    command: "agentprint text compare",
    title: "agentprint text compare",
    summary: what,
    outcome: equal ? "same" : "drift",
    findings: equalAt === "bytes" ? [] : [difference, ...meaning],
    rules: COMPARISON_RULES,
    checked: [subject],
    data: { before, after, level, equal, equalAt, formattingOnly, warnings },
  };
}

const byRule = findingKinds(COMPARISON_RULES);

function finding(rule: keyof typeof COMPARISON_RULES, message: string, subject: string): Finding {
  return { ...byRule(rule, message), place: { subject } };
}
