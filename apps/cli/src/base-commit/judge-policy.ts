import type { Finding } from "@agentprint/findings";
import type { LockFile } from "@agentprint/mcp-lock/lock";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import { type AcceptedPolicy, acceptedPolicyOf } from "../policy/accepted-policy.ts";
import { type PolicyPlace, policyFileOf, type ReadPolicy } from "../policy/read-policy.ts";
import { commandLine } from "../terminal/command-line.ts";
import type { Base } from "./read-base.ts";

/** The outcome of comparing the current policy with the accepted one. */
export interface PolicyJudgement {
  /** The policy that judges the findings: the accepted one if the current one is weaker. */
  readonly policy: ReadPolicy;
  readonly weakened: readonly Finding[];
  readonly strengthened: readonly Finding[];
  /**
   * The command line that accepts a weaker policy; absent with a base, because a change cannot accept its own policy.
   */
  readonly approve?: string;
}

/**
 * Compares the current policy with the one in the lock, or with a base's. With a base, the lock's policy is compared as
 * well, because the next change would be judged by it.
 *
 * @throws CliError `invalid-config` when this version cannot read an accepted policy
 */
export async function judgePolicy(
  present: ReadPolicy,
  lock: LockFile,
  base: Base | undefined,
  place: PolicyPlace & { readonly lock: string },
): Promise<PolicyJudgement> {
  const locked = await acceptedPolicyOf(lock, place.lock);
  const accepted = base === undefined ? locked : base.accepted;
  if (accepted === undefined) {
    return {
      policy: { ...present, notices: [...present.notices, ...nothingAccepted(present, base, place.lock)] },
      weakened: [],
      strengthened: [],
    };
  }
  const [{ droppedFrom, strengthenedBy, weakenedBy }, { hashPolicy }] = await Promise.all([
    import("../policy/compare-policies.ts"),
    import("@agentprint/policy"),
  ]);
  const file = policyFileOf(place);
  const compared = { policy: present.policy, file, ...(present.text && { text: present.text }) };
  const weakened = weakenedBy(compared, accepted);
  if (base !== undefined && locked !== undefined) {
    weakened.push(...weakenedBy({ policy: locked.policy, file: place.lock }, accepted));
  }
  if (base?.lock?.policy !== undefined && locked === undefined) weakened.push(droppedFrom(place.lock, accepted));
  return {
    policy: weakened.length === 0 ? present : byAccepted(present, accepted),
    weakened,
    strengthened: strengthenedBy(compared, accepted),
    ...(weakened.length > 0 && base === undefined && { approve: approvePolicyLine(place, hashPolicy(present.policy)) }),
  };
}

function byAccepted({ notices }: ReadPolicy, { policy, name }: AcceptedPolicy): ReadPolicy {
  return { policy, file: name, notices };
}

function nothingAccepted({ file }: ReadPolicy, base: Base | undefined, lock: string): string[] {
  if (base !== undefined) return [`${base.name} has neither a lock nor a policy, so nothing is compared with it`];
  if (file === undefined) return [];
  return [
    `${lock} holds no accepted policy, so a weaker one goes unnoticed: agentprint approve --policy accepts ${file}`,
  ];
}

/** Returns the command line that accepts the policy with this digest. */
export function approvePolicyLine({ lock, config }: PolicyPlace, digest: string): string {
  return commandLine([
    "agentprint",
    "approve",
    "--policy",
    ...(lock === undefined || lock === DEFAULT_LOCK ? [] : ["--lock", lock]),
    ...(config === undefined ? [] : ["--config", config]),
    "--expect",
    digest,
  ]);
}
