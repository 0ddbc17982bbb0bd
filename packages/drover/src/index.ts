export { type CheckResumeOptions, checkResume, type ResumeCheck } from "./check-resume.ts";
export { SPEC_COVERAGE, type SpecCoverage, type SpecField } from "./coverage.ts";
export { diffSpecs, type FieldChange, type SpecDiff } from "./diff-specs.ts";
export { SpecError, type SpecErrorCode } from "./errors.ts";
export {
  FINGERPRINT_VERSION,
  type FieldDigests,
  fingerprintSpec,
  type SpecFingerprint,
  specFingerprintPayload,
} from "./fingerprint-spec.ts";
export { hashSpec } from "./hash-spec.ts";
export { type SpecHashOptions, specHashPayload } from "./payload.ts";
export { ResumeError, type ResumeErrorCode } from "./resume-error.ts";
export type { AgentSpec, SpecPlugin, SystemPrompt, UnseenPart } from "./spec.ts";
export type { SpecWarning } from "./spec-warnings.ts";
export type { ResumeStorage, RunRow, RunStorage } from "./storage.ts";
export type { LineChange, ValueChange } from "./value-diff.ts";
