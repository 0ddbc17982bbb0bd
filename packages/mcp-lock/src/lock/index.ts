export { isMovedAuth } from "../auth/compare-auth.ts";
export { readableContent } from "../drift/content-changes.ts";
export { McpLockError, type McpLockErrorCode } from "../errors.ts";
export { varyingInWords } from "../varies/varying-member.ts";
export { compareArtifacts, hasIntegrity, unpinnedPackages } from "./artifact.ts";
export { coverageOfEntry, pinnedFiles } from "./coverage-of-entry.ts";
export { withoutServer, withPolicy } from "./create-lock.ts";
export { formatLock } from "./format-lock.ts";
export { isPinnedLaunch } from "./is-pinned-launch.ts";
export {
  entriesCanonicalPayload,
  LOCK_VERSION,
  type LockedContent,
  type LockedItem,
  type LockedPolicy,
  type LockedServer,
  type LockedSkills,
  type LockedTool,
  type LockFile,
  readingCanonicalPayload,
} from "./lock.ts";
export { parseLock } from "./parse-lock.ts";
