export { count } from "./count.ts";
export { type ErrorDetails, ExplainedError } from "./explained-error.ts";
export { type ByRule, type Finding, type FindingKind, findingKinds, type Location, type Place } from "./finding.ts";
export { judgeReport, outcomeOf, worstOutcome } from "./judge-report.ts";
export { LEVELS, type Level } from "./level.ts";
export { EXIT, type ExitCode, type Outcome } from "./outcome.ts";
export type { JudgedReport, Report, ServerResult } from "./report.ts";
export type { Rule, RuleExample, Rules } from "./rule.ts";
export { catalogOf, fullId, type RuleCatalog } from "./rule-catalog.ts";
