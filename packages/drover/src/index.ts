export { type CheckResumeOptions, checkResume, type ResumableRun, type ResumeCheck } from "./check-resume.ts";
export { SPEC_COVERAGE, type SpecCoverage, type SpecField, type SpecHashOptions } from "./covered-fields.ts";
export { diffSpecs, type FieldChange, type SpecDiff } from "./diff-specs.ts";
export type { LineChange, ValueChange } from "./diff-values.ts";
export { ResumeError, type ResumeErrorCode, SpecError, type SpecErrorCode } from "./errors.ts";
export {
  FINGERPRINT_VERSION,
  type FieldDigests,
  type FingerprintPayload,
  fingerprintSpec,
  type SchemaDigests,
  type SpecFingerprint,
  specFingerprintPayload,
} from "./fingerprint-spec.ts";
export { hashSpec, specHashPayload } from "./hash-spec.ts";
export { pauseRun, type ResumedRun, resumeRun } from "./paused-run.ts";
export { recordSpec, type SpecRecord } from "./record-spec.ts";
export { type ResumedAgent, resumeAgent } from "./resume-agent.ts";
export type { AgentSpec, SpecPlugin, SystemPrompt, UnseenPart } from "./spec.ts";
export type { SpecWarning } from "./spec-warning.ts";
export type { ResumeStorage, RunRow, RunStorage } from "./storage.ts";
