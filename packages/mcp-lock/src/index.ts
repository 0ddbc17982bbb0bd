export {
  fingerprintTool,
  type HintEffect,
  LAYERS,
  type Layer,
  type ToolFingerprint,
  type ToolLayers,
  ToolPinsError,
  toolLayers,
} from "@agentprint/tool-pins";
export type {
  BareVerdict,
  BreakCause,
  CommonHash,
  SchemaFault,
  SchemaText,
  SchemaVerdict,
  ToolChange,
} from "@agentprint/tool-pins/judgement";
export {
  definitionSetHashV1,
  findInvisible,
  instructionsHashV1,
  type ProseSignal,
  type ProseSignalOptions,
  proseSignals,
  readDefinitionV1,
  type SignalKind,
  toolDefinitionHashV1,
} from "@agentprint/tool-pins/judgement";
export { agreedAuth, type ListByLogin, listsByLogin } from "./auth/compare-auth.ts";
export { asPinned, type VaryingPattern, variesIn, varyingMembersIn } from "./drift/as-pinned.ts";
export { checkLock } from "./drift/check-lock.ts";
export type { CheckOptions } from "./drift/check-servers.ts";
export type { Renames } from "./drift/declared-renames.ts";
export { diffEntries, entryAsLaunched } from "./drift/diff-entries.ts";
export { diffLocks } from "./drift/diff-locks.ts";
export { diffVaries } from "./drift/diff-varies.ts";
export type {
  Drift,
  DriftReport,
  HiddenText,
  LookAlike,
  MovedPackage,
  NameCollision,
  Remark,
  ServerDrift,
  ServerPart,
} from "./drift/drift.ts";
export { findVarying, hasToBeAskedAgain, type VaryingFound } from "./drift/find-varying.ts";
export { lockAsPinned } from "./drift/lock-as-pinned.ts";
export { type Offered, offeredByAnswers, offeredByLock } from "./drift/offered.ts";
export { McpLockError, type McpLockErrorCode } from "./errors.ts";
export { DRIFT_CATALOG, DRIFT_RULES, type DriftRuleId } from "./findings/drift-rules.ts";
export { type DriftFinding, itemSubject } from "./findings/finding.ts";
export { breaksCallers, leavesCallsValid } from "./findings/leaves-calls-valid.ts";
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
  type LockedContent,
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
export { type LockableClient, type LockClientOptions, lockClient } from "./lock/lock-client.ts";
export { lockJsonSchema } from "./lock/lock-json-schema.ts";
export { lockServer, sealServer, type UnstableOptions } from "./lock/lock-server.ts";
export { withSources } from "./lock/lock-sources.ts";
export { lockTools } from "./lock/lock-tools.ts";
export { parseLock } from "./lock/parse-lock.ts";
export { pinsOf } from "./lock/pins-of.ts";
export { type PinnedValues, pinnedValuesOf } from "./varies/pinned-values.ts";
export type { PinnedEntry } from "./varies/varying-holders.ts";
export type { VaryingForm, VaryingKind, VaryingMember } from "./varies/varying-member.ts";
