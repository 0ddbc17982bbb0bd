export { McpLockError, type McpLockErrorCode } from "../errors.ts";
export type { LaunchCoverage, LockedFile } from "../visit/launch.ts";
export { visitOfSnapshot } from "../visit/visit-of-snapshot.ts";
export { coverageOfEntry, pinnedFiles } from "./coverage-of-entry.ts";
export { withoutServer, withPolicy } from "./create-lock.ts";
export { formatLock } from "./format-lock.ts";
export { isPinnedLaunch } from "./is-pinned-launch.ts";
export {
  entriesCanonicalPayload,
  isVersion1,
  type LockEntry,
  type LockedItem,
  type LockedPolicy,
  type LockedTool,
  type LockFile,
} from "./lock.ts";
export { parseLock } from "./parse-lock.ts";
export { upgradeEntry } from "./upgrade-entry.ts";
