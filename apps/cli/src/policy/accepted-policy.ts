import type { LockFile } from "@agentprint/mcp-lock/lock";
import type { Policy } from "@agentprint/policy/apply";
import { CliError } from "../run/errors.ts";

/** An accepted policy. */
export interface AcceptedPolicy {
  readonly policy: Policy;
  /** The place of the policy, in words. */
  readonly name: string;
}

/**
 * Returns the policy in a lock; `undefined` if the lock holds none.
 *
 * @param name The place of the lock, in words
 * @throws {@link CliError} `invalid-config` when this version cannot read the policy
 */
export async function acceptedPolicyOf({ policy }: LockFile, name: string): Promise<AcceptedPolicy | undefined> {
  if (policy === undefined) return undefined;
  const [{ parsePolicy, PolicyError }, { RULES }] = await Promise.all([
    import("@agentprint/policy"),
    import("../rules/rule-list.ts"),
  ]);
  try {
    return { policy: parsePolicy(policy.policy, RULES), name };
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new CliError("invalid-config", `this version cannot read the accepted policy: ${error.message}`, {
      where: `${name}, at /policy/policy${error.path}`,
      expected: "a policy that this version of agentprint knows",
      fix: "run the version that accepted it, or accept the current policy: agentprint approve --policy",
      cause: error,
    });
  }
}
