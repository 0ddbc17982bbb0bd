import type { CheckFailure, VisitAnswers } from "@agentprint/mcp";
import { checkArgument, checkFound, LOCK } from "../check-argument.ts";
import type { LockFile } from "../lock/lock.ts";
import { type CheckOptions, checkServers } from "./check-servers.ts";
import type { DriftReport } from "./drift.ts";
import { SchemaJudge } from "./judge-schemas.ts";

/**
 * Compares servers with their lock entries.
 *
 * A locked server that is missing from `servers` was not read, and its outcome is `unknown`. A server that is not in the
 * lock is drift. The order in which a server lists its items does not matter.
 *
 * @example
 * ```ts
 * import { checkLock } from "@agentprint/mcp-lock";
 *
 * const drift = checkLock(lock, { filesystem: answers, memory: { failure: { code: "timeout", message: "no answer" } } });
 * console.log(drift.outcome); // "unknown"
 * ```
 */
export function checkLock(
  lock: LockFile,
  servers: Readonly<Record<string, VisitAnswers | CheckFailure>>,
  options: CheckOptions = {},
): DriftReport {
  checkArgument("lock", lock, LOCK);
  checkFound("servers", servers);
  checkArgument("options", options, "object");
  return checkServers(lock, servers, options, () => new SchemaJudge());
}
