import type { NormalizationLevel, TextComparison } from "@agentprint/content-hash";
import type { Finding, Report, Rule } from "@agentprint/report";

/** Levels that are steps on one scale: what is equal at one is equal at the next. */
export type ScaleLevel = Exclude<NormalizationLevel, "lagovista">;

const SCALE: readonly ScaleLevel[] = ["bytes", "eol", "trailing", "whitespace"];

/** What each finding about two texts means and what to do about it. */
export const COMPARISON_RULES: Record<"text-differs" | "formatting-differs" | "meaningful-white-space", Rule> = {
  "text-differs": { summary: "Two texts differ.", help: "Review the change." },
  "formatting-differs": { summary: "Two texts differ in formatting alone.", help: "Nothing to do." },
  "meaningful-white-space": { summary: "White space means something in this language.", help: "Compare at level eol." },
};

const WHAT_DIFFERS: Record<ScaleLevel, string> = {
  bytes: "nothing differs",
  eol: "only line ends or a byte order mark differ",
  trailing: "only white space at the end of lines or newlines at the end differ",
  whitespace: "only white space differs",
};

/** Whether two texts are equal at a level, and at which level they are. */
export function comparisonReport(
  [before, after]: readonly [string, string],
  { equalAt, formattingOnly, warnings }: TextComparison,
  level: ScaleLevel,
): Report {
  const equal = equalAt !== null && SCALE.indexOf(equalAt) <= SCALE.indexOf(level);
  const what = equalAt === null ? "the content differs" : WHAT_DIFFERS[equalAt];
  const subject = `${before} ↔ ${after}`;
  const difference: Finding = equal
    ? { ruleId: "formatting-differs", level: "note", message: what, subject }
    : { ruleId: "text-differs", level: "error", message: `${what}, at level ${level}`, subject };
  const meaning = warnings.map(
    (message): Finding => ({ ruleId: "meaningful-white-space", level: "note", message, subject }),
  );
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
