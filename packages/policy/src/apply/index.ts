export { type AppliedPolicy, type ApplyPolicyOptions, applyPolicy, isFrozenByPreset } from "./apply-policy.ts";
export { decide } from "./decide.ts";
export type {
  CheckDecision,
  Decisions,
  GuardDecision,
} from "./decisions.ts";
export { DEFAULT_POLICY } from "./default-policy.ts";
export type { PolicyFinding } from "./finding.ts";
export type { CallRule, Ignore, Policy, RuleDecisions, ServerPolicy } from "./policy.ts";
export { POLICY_RULES } from "./policy-rules.ts";
export { PRESET_NAMES, type Preset, type PresetName } from "./presets.ts";
