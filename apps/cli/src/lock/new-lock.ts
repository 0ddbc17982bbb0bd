import { LOCK_VERSION, type LockFile, withPolicy } from "@agentprint/mcp-lock/lock";
import type { ReadPolicy } from "../policy/read-policy.ts";

/** Returns a lock without servers; the policy of a configuration, if there is one, is its accepted policy. */
export async function newLock({ policy, file }: ReadPolicy): Promise<LockFile> {
  const empty: LockFile = { lockVersion: LOCK_VERSION, servers: [] };
  if (file === undefined) return empty;
  const { policyCanonicalPayload } = await import("@agentprint/policy");
  return withPolicy(empty, policyCanonicalPayload(policy));
}
