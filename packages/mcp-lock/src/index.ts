export { type CheckOptions, checkLock } from "./check-lock.ts";
export { createLock, lockServer, withoutServer, withServer } from "./create-lock.ts";
export type { ValueChange } from "./diff-values.ts";
export type {
  CommonHash,
  Drift,
  DriftReport,
  NameCollision,
  Outcome,
  Remark,
  ServerDrift,
  ServerPart,
  ToolChange,
} from "./drift.ts";
export { McpLockError, type McpLockErrorCode } from "./errors.ts";
export { DRIFT_RULES, type DriftRule, type DriftRuleId, type FindingLevel } from "./findings/drift-rules.ts";
export { type DriftFinding, type DriftPlace, itemSubject } from "./findings/finding.ts";
export { lockLines } from "./findings/lock-lines.ts";
export { driftFindings } from "./findings/server-findings.ts";
export { checkedSubjects, summarizeDrift } from "./findings/summarize-drift.ts";
export { fingerprintTool, type ToolFingerprint } from "./fingerprint-tool.ts";
export { formatLock } from "./format-lock.ts";
export {
  type HeaderAnnotation,
  type HeaderAnnotations,
  type InvalidHeader,
  readHeaderAnnotations,
} from "./header-annotations.ts";
export type { ItemKind } from "./item-kinds.ts";
export type { SchemaVerdict } from "./judge-schemas.ts";
export {
  isVersion1,
  LOCK_VERSION,
  type LockEntry,
  type LockedItem,
  type LockedPart,
  type LockedServer,
  type LockedServerV1,
  type LockedSession,
  type LockedTool,
  type LockFile,
  serverCanonicalPayload,
  toolsCanonicalPayload,
} from "./lock.ts";
export type { UnstableOptions } from "./lock-visit.ts";
export { parseLock } from "./parse-lock.ts";
export { type FoundToken, findTokens } from "./redact/find-tokens.ts";
export { isSecretName } from "./redact/secret-names.ts";
export { isRedacted, REDACTED, redactLaunch } from "./redact-launch.ts";
export type { CheckFailure, JsonObject, Launch, ServerSnapshot, ServerState } from "./snapshot.ts";
export { snapshotOfVisit } from "./snapshot-of-visit.ts";
export { type SuspectedSecret, type SuspicionReason, suspectedSecrets } from "./suspected-secrets.ts";
export { LAYERS, type Layer, type ToolLayers, toolLayers } from "./tool-layers.ts";
export { upgradeEntry } from "./view-of-server.ts";
export type {
  ContentAnswers,
  Era,
  ListName,
  SessionAnswers,
  SessionName,
  View,
  VisitAnswers,
} from "./visit-answers.ts";
