import { isSameJson } from "@agentprint/canonical-json/json-value";
import type { Launch } from "@agentprint/launch";
import { redactLaunch } from "@agentprint/launch/redact";
import { checkArgument } from "../check-argument.ts";
import type { LockedServer } from "./lock.ts";

/**
 * Returns whether a launch equals an entry's pinned launch, except for secrets, which an entry does not store.
 *
 * @example
 * ```ts
 * import { isPinnedLaunch, lockServer } from "@agentprint/mcp-lock";
 *
 * const entry = lockServer("files", answers);
 * console.log(isPinnedLaunch(entry, answers.launch)); // true
 * console.log(isPinnedLaunch(entry, { type: "stdio", command: "another", args: [], env: [] })); // false
 * ```
 */
export function isPinnedLaunch(entry: LockedServer, launch: Launch): boolean {
  checkArgument("entry", entry, { launch: "object" });
  checkArgument("launch", launch, "object");
  return isSameJson(entry.launch, redactLaunch(launch));
}
