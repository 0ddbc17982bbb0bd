import { isSameJson } from "@agentprint/canonical-json/json-value";
import { redactLaunch } from "../redact/redact-launch.ts";
import { redactLaunchV1 } from "../redact/redact-launch-v1.ts";
import type { Launch } from "../visit/launch.ts";
import { isVersion1, type LockEntry } from "./lock.ts";

/**
 * Whether a launch is the one that an entry was pinned with, secrets aside: an entry keeps none.
 *
 * @example
 * ```ts
 * import { isPinnedLaunch, lockServer } from "@agentprint/mcp-lock";
 *
 * const entry = lockServer("files", snapshot);
 * console.log(isPinnedLaunch(entry, snapshot.launch)); // true
 * console.log(isPinnedLaunch(entry, { type: "stdio", command: "another", args: [], env: [] })); // false
 * ```
 */
export function isPinnedLaunch(entry: LockEntry, launch: Launch): boolean {
  const redacted = isVersion1(entry) ? redactLaunchV1(launch) : redactLaunch(launch);
  return isSameJson(entry.launch, redacted);
}
