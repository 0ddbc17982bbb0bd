export { driftToReport, type LockPlace } from "./drift-report.ts";
export { DRIFT_CATALOG, DRIFT_RULES, type DriftRuleId } from "./drift-rules.ts";
export { type DriftFinding, itemSubject } from "./finding.ts";
export { lockLines } from "./lock-lines.ts";
export { driftFindings } from "./server-findings.ts";
export { checkedSubjects, summarizeDrift } from "./summarize-drift.ts";
