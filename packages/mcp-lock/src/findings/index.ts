export { driftToReport, type LockPlace } from "./drift-report.ts";
export { DRIFT_RULES, type DriftRuleId } from "./drift-rules.ts";
export { type DriftFinding, itemSubject } from "./finding.ts";
export { firstVersionSignals } from "./first-version-signals.ts";
export { breaksCallers, leavesCallsValid } from "./leaves-calls-valid.ts";
export { driftFindings } from "./server-findings.ts";
