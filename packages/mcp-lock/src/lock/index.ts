export { McpLockError, type McpLockErrorCode } from "../errors.ts";
export { visitOfSnapshot } from "../visit/visit-of-snapshot.ts";
export { formatLock } from "./format-lock.ts";
export { isVersion1, type LockEntry, type LockFile } from "./lock.ts";
export { parseLock } from "./parse-lock.ts";
