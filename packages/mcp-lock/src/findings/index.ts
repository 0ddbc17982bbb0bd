export { DRIFT_RULES, type DriftRule, type DriftRuleId, type FindingLevel } from "./drift-rules.ts";
export { type DriftFinding, type DriftPlace, itemSubject } from "./finding.ts";
export { lockLines } from "./lock-lines.ts";
export { driftFindings } from "./server-findings.ts";
export { checkedSubjects, summarizeDrift } from "./summarize-drift.ts";
