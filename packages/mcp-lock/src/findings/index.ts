export type { DriftRule, FindingLevel, RuleExample } from "./drift-rule.ts";
export { DRIFT_RULES, type DriftRuleId } from "./drift-rules.ts";
export { type DriftFinding, type DriftPlace, itemSubject } from "./finding.ts";
export { lockLines } from "./lock-lines.ts";
export { driftFindings } from "./server-findings.ts";
export { checkedSubjects, summarizeDrift } from "./summarize-drift.ts";
