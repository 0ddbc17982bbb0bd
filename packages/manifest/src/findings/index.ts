export { CHANGE_RULES } from "./change-rules.ts";
export { diffReport, type Side } from "./diff-report.ts";
export { ISSUE_RULES } from "./issue-rules.ts";
export { validationFindings } from "./validation-findings.ts";
export { WARNING_RULES } from "./warning-rules.ts";
