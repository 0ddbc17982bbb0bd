import type { LockFile } from "../lock/lock.ts";
import type { CheckFailure } from "../visit/check-failure.ts";
import type { VisitAnswers } from "../visit/visit-answers.ts";
import { type CheckOptions, checkServers } from "./check-servers.ts";
import type { DriftReport } from "./drift.ts";
import type { Judge } from "./judge.ts";

/**
 * The same report as `checkLock`, by a command that is started for one check: the prover of schemas, which takes longer
 * to load than servers without a change take to compare, is loaded only where a tool changed.
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
  let isAsked = false;
  const askedJudge: Judge = {
    expect() {},
    judge() {
      isAsked = true;
      return [];
    },
  };
  const drift = checkServers(lock, servers, options, () => askedJudge);
  if (!isAsked) return drift;
  const { SchemaJudge } = await import("./judge-schemas.ts");
  return checkServers(lock, servers, options, () => new SchemaJudge());
}
