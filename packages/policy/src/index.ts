export { type AppliedPolicy, type ApplyPolicyOptions, applyPolicy, isFrozenByPreset } from "./apply/apply-policy.ts";
export { asStated } from "./apply/as-stated.ts";
export { decide } from "./apply/decide.ts";
export {
  type CheckDecision,
  type Decisions,
  GUARD_DECISIONS,
  type GuardDecision,
  type Screening,
} from "./apply/decisions.ts";
export { DEFAULT_POLICY } from "./apply/default-policy.ts";
export type { PolicyFinding } from "./apply/finding.ts";
export type {
  CallRule,
  Ignore,
  Policy,
  ResultRules,
  RuleDecisions,
  ServerPolicy,
  SigstoreRule,
  StatementRule,
} from "./apply/policy.ts";
export { POLICY_RULES } from "./apply/policy-rules.ts";
export { PRESET_NAMES, PRESETS, type Preset, type PresetName } from "./apply/presets.ts";
export { screeningOf } from "./apply/screening.ts";
export { checkCallSchemas, type LockedInputSchemas } from "./calls/check-call-schemas.ts";
export { type Call, type CallVerdict, decideCall } from "./calls/decide-call.ts";
export { PolicyError, type PolicyErrorCode } from "./errors.ts";
export { type ParsePolicyOptions, parsePolicy } from "./parse/parse-policy.ts";
export type {
  DocumentCall,
  DocumentIgnore,
  DocumentResults,
  DocumentRules,
  DocumentServer,
  DocumentSigstore,
  DocumentStatement,
  PolicyDocument,
} from "./parse/policy-document.ts";
export { policyJsonSchema } from "./parse/policy-json-schema.ts";
export { hashPolicy, policyCanonicalPayload } from "./policy-payload.ts";
export type { Weakening } from "./weaken/weakening.ts";
export {
  policyFindings,
  strengthenedFindings,
  weakenings,
} from "./weaken/weakenings.ts";
