import type { CheckFailure, VisitAnswers } from "@agentprint/mcp";
import { checkArgument, checkFound, LOCK } from "../check-argument.ts";
import type { LockFile } from "../lock/lock.ts";
import { type CheckOptions, checkServers } from "./check-servers.ts";
import type { DriftReport } from "./drift.ts";
import type { Judge } from "./judge.ts";

/**
 * Returns the same report as `checkLock`, but loads the schema prover only if a tool changed, because loading it takes
 * longer than comparing unchanged servers. This suits a command that runs a single check.
 *
 * @example
 * ```ts
 * import { checkLockLazily } from "@agentprint/mcp-lock/check";
 *
 * const drift = await checkLockLazily(lock, { filesystem: answers });
 * ```
 */
export async function checkLockLazily(
  lock: LockFile,
  servers: Readonly<Record<string, VisitAnswers | CheckFailure>>,
  options: CheckOptions = {},
): Promise<DriftReport> {
  checkArgument("lock", lock, LOCK);
  checkFound("servers", servers);
  checkArgument("options", options, "object");
  try {
    return checkServers(lock, servers, options, () => ABSENT);
  } catch (error) {
    if (error !== ASKED) throw error;
  }
  const { SchemaJudge } = await import("./judge-schemas.ts");
  return checkServers(lock, servers, options, () => new SchemaJudge());
}

const ASKED = new Error("The prover is not loaded");
/** Stops the comparison as soon as it needs the prover. */
const ABSENT: Judge = {
  expect() {},
  judge() {
    throw ASKED;
  },
};
