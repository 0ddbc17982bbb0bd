import { LOCK_VERSION, type LockFile, withPolicy } from "@agentprint/mcp-lock/lock";
import type { ReadPolicy } from "../policy/read-policy.ts";

/**
 * A lock of no server, with the policy of a configuration as the accepted one if there is one.
 */
export async function newLock({ policy, file }: ReadPolicy): Promise<LockFile> {
  const empty: LockFile = { lockVersion: LOCK_VERSION, servers: [] };
  if (file === undefined) return empty;
  const { policyCanonicalPayload } = await import("@agentprint/policy");
  return withPolicy(empty, policyCanonicalPayload(policy));
}
