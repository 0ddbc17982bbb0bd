export { type AppliedPolicy, type ApplyPolicyOptions, applyPolicy } from "./apply/apply-policy.ts";
export { decide } from "./apply/decide.ts";
export {
  CHECK_DECISIONS,
  type CheckDecision,
  type Decisions,
  GUARD_DECISIONS,
  type GuardDecision,
  LEVELS,
  type Level,
} from "./apply/decisions.ts";
export type { PolicyFinding } from "./apply/finding.ts";
export type { CallRule, Ignore, Policy, RuleDecisions, ServerPolicy } from "./apply/policy.ts";
export { POLICY_RULES } from "./apply/policy-rules.ts";
export { PRESET_NAMES, PRESETS, type Preset, type PresetName } from "./apply/presets.ts";
export { PolicyError, type PolicyErrorCode } from "./errors.ts";
export { type ParsePolicyOptions, parsePolicy } from "./parse/parse-policy.ts";
export type {
  DocumentCall,
  DocumentIgnore,
  DocumentRules,
  DocumentServer,
  PolicyDocument,
} from "./parse/policy-document.ts";
export type { RuleCatalog } from "./parse/rule-catalog.ts";
