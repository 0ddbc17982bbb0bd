export {
  definitionSetHashV1,
  fingerprintTool,
  type HintEffect,
  instructionsHashV1,
  LAYERS,
  type Layer,
  readDefinitionV1,
  type ToolFingerprint,
  type ToolLayers,
  ToolPinsError,
  toolDefinitionHashV1,
  toolLayers,
} from "@agentprint/tool-pins";
export { agreedAuth, type ListByLogin, listsByLogin } from "./auth/compare-auth.ts";
export { asPinned, type VaryingPattern, variesIn, varyingMembersIn } from "./drift/as-pinned.ts";
export { checkLock } from "./drift/check-lock.ts";
export type { CheckOptions } from "./drift/check-servers.ts";
export { diffEntries, entryAsLaunched } from "./drift/diff-entries.ts";
export { diffLocks } from "./drift/diff-locks.ts";
export { diffVaries } from "./drift/diff-varies.ts";
export type {
  CommonHash,
  Drift,
  DriftReport,
  HiddenText,
  LookAlike,
  MovedPackage,
  NameCollision,
  Remark,
  ServerDrift,
  ServerPart,
  ToolChange,
} from "./drift/drift.ts";
export { findVarying, hasToBeAskedAgain, type VaryingFound } from "./drift/find-varying.ts";
export { lockAsPinned } from "./drift/lock-as-pinned.ts";
export type { Renames } from "./drift/match-renames.ts";
export { type Offered, offeredByAnswers, offeredByLock } from "./drift/offered.ts";
export type { SchemaFault } from "./drift/schema-faults.ts";
export type { SchemaText } from "./drift/schema-texts.ts";
export type { BareVerdict, BreakCause, SchemaVerdict } from "./drift/schema-verdict.ts";
export { McpLockError, type McpLockErrorCode } from "./errors.ts";
export { DRIFT_CATALOG, DRIFT_RULES, type DriftRuleId } from "./findings/drift-rules.ts";
export { type DriftFinding, itemSubject } from "./findings/finding.ts";
export { leavesCallsValid } from "./findings/leaves-calls-valid.ts";
export { offeredFindings } from "./findings/offered-findings.ts";
export { driftFindings } from "./findings/server-findings.ts";
export { summarizeDrift } from "./findings/summarize-drift.ts";
export { varyingFindings } from "./findings/varying-findings.ts";
export {
  agreedArtifacts,
  type ComparedArtifacts,
  compareArtifacts,
} from "./lock/artifact.ts";
export { coverageOfEntry, pinnedFiles } from "./lock/coverage-of-entry.ts";
export {
  createLock,
  withAuthorKeys,
  withoutServer,
  withPolicy,
  withServer,
  withSkills,
  withStatements,
} from "./lock/create-lock.ts";
export { formatLock } from "./lock/format-lock.ts";
export { isPinnedLaunch } from "./lock/is-pinned-launch.ts";
export {
  entriesCanonicalPayload,
  LOCK_VERSION,
  type LockedInstructions,
  type LockedItem,
  type LockedKeys,
  type LockedPart,
  type LockedPolicy,
  type LockedServer,
  type LockedSession,
  type LockedSkill,
  type LockedSkills,
  type LockedStatement,
  type LockedTool,
  type LockFile,
  type LockSource,
  readingCanonicalPayload,
  type SetHashes,
  serverCanonicalPayload,
  toolsCanonicalPayload,
} from "./lock/lock.ts";
export { lockJsonSchema } from "./lock/lock-json-schema.ts";
export { lockServer, sealServer, type UnstableOptions } from "./lock/lock-server.ts";
export { withSources } from "./lock/lock-sources.ts";
export { parseLock } from "./lock/parse-lock.ts";
export { findInvisible } from "./signals/find-invisible.ts";
export type { ProseSignal, SignalKind } from "./signals/prose-signal.ts";
export { type ProseSignalOptions, proseSignals } from "./signals/prose-signals.ts";
export { type PinnedEntry, type PinnedValues, pinnedValuesOf } from "./varies/pinned-values.ts";
export type { VaryingForm, VaryingKind, VaryingMember } from "./varies/varying-member.ts";
