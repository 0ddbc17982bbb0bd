import { LOCK_VERSION, type LockFile, withPolicy } from "@agentprint/mcp-lock/lock";
import type { InputContext } from "../context.ts";
import { readPolicy } from "../policy/read-policy.ts";

/**
 * A lock of no server, with the policy of the configuration beside it as the accepted one where there is a configuration.
 *
 * @param options.lock The path that the lock will have
 * @throws {@link CliError} as readPolicy does
 */
export async function newLock(context: InputContext, { lock }: { readonly lock: string }): Promise<LockFile> {
  const { policy, file } = await readPolicy(context, { lock });
  const empty: LockFile = { lockVersion: LOCK_VERSION, servers: [] };
  if (file === undefined) return empty;
  const { policyCanonicalPayload } = await import("@agentprint/policy");
  return withPolicy(empty, policyCanonicalPayload(policy));
}
