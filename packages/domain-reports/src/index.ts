export { driftToReport, type LockPlace } from "./drift-report.ts";
export { CHANGE_RULES } from "./manifest-change-rules.ts";
export { diffReport, type Side } from "./manifest-diff-report.ts";
export { type ManifestRuleId, manifestRuleId } from "./manifest-rule-id.ts";
