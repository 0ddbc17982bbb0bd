export {
  CAPABILITY_FLAGS,
  type CapabilityFlag,
  type CapabilityManifest,
  type InputSchema,
  type ManifestTool,
  type PermissionScope,
} from "./capability-manifest.ts";
export { type AcceptedManifest, consentFor, type ScopeConsent } from "./consent/consent-for.ts";
export { type ConsentGate, type ConsentGateOptions, createConsentGate } from "./consent/consent-gate.ts";
export type { ConsentState } from "./consent/consent-state.ts";
export type {
  ConsentDecision,
  ConsentRequest,
  DenialReason,
  PromptDecision,
  RefusalReason,
} from "./consent/decision.ts";
export { addCompatibility, type JudgedChange, type JudgedManifestDiff } from "./diff/add-compatibility.ts";
export { type Change, type ChangeKind, VERDICTS, type Verdict } from "./diff/change.ts";
export { diffManifests, type ManifestDiff } from "./diff/diff-manifests.ts";
export { ManifestError, type ManifestErrorCode } from "./errors.ts";
export { canonicalizeManifest, hashManifest } from "./hash-manifest.ts";
export type { ManifestIssue, ManifestIssueCode, ManifestWarning, ManifestWarningCode } from "./issue.ts";
export {
  MANIFEST_MAX_BYTES,
  MANIFEST_WARN_BYTES,
} from "./limits.ts";
export { CapabilityManifestSchema, manifestJsonSchema } from "./parse/manifest-schema.ts";
export { type ParsedManifest, parseManifest } from "./parse/parse-manifest.ts";
export {
  type PreviousManifest,
  type PublishedManifest,
  type PublishResponse,
  publishManifest,
  publishResponse,
} from "./publish-manifest.ts";
export { SENSITIVITIES, type Sensitivity, sensitivityInEffect } from "./sensitivity.ts";
export { createArtifactResponse, type ToolOutcome } from "./tool-calls/create-artifact-response.ts";
export { type ArtifactResponse, ArtifactResponseSchema, type ToolCall, ToolCallSchema } from "./tool-calls/messages.ts";
export {
  createPendingToolCalls,
  type PendingToolCalls,
  type PendingToolCallsOptions,
  type Receipt,
  type ToolCallOutcome,
} from "./tool-calls/pending-tool-calls.ts";
export type { ResponseOutcome } from "./tool-calls/read-response.ts";
export { type ReceivedToolCall, readToolCall } from "./tool-calls/read-tool-call.ts";
export { type DecidedToolCall, receiveToolCall } from "./tool-calls/receive-tool-call.ts";
export { type CapabilityEntry, capabilityEntries } from "./words/entries.ts";
export { scopeLabel, toolDescription } from "./words/labels.ts";
export { type ClientTexts, LANGUAGES, type Language } from "./words/language.ts";
export { REVIEW_CARD } from "./words/review-card.ts";
export { warningText } from "./words/warning-text.ts";
