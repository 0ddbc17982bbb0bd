import type { LockFile } from "@agentprint/mcp-lock/lock";
import { DEFAULT_POLICY } from "@agentprint/policy/apply";
import type { Context } from "../context.ts";
import { type Commit, openCommit } from "../git/open-commit.ts";
import { MAX_LOCK_BYTES, parseLockText } from "../lock/read-lock.ts";
import { type AcceptedPolicy, acceptedPolicyOf } from "../policy/accepted-policy.ts";
import { MAX_POLICY_BYTES, type PolicyPlace, parsePolicyText, policyFileOf } from "../policy/read-policy.ts";

/** The commit that a change starts from, such as the base of a pull request. */
export interface Base {
  /** The name that the user gave, and the beginning of the id. */
  readonly name: string;
  readonly commit: Commit;
  /** Absent where the commit has no lock. */
  readonly lock?: LockFile;
  /** The policy by which the change is judged; absent where the commit has neither a lock nor a policy. */
  readonly accepted?: AcceptedPolicy;
}

/**
 * Reads the lock and the policy of a commit.
 *
 * @throws {@link CliError} `usage`, `git-failed`, `too-large` when the commit or a file of it cannot be read; `unreadable-input` when
 * its lock cannot be trusted; `invalid-config` when its policy cannot be read
 */
export async function readBase(
  context: Context,
  ref: string,
  place: PolicyPlace & { readonly lock: string },
): Promise<Base> {
  const commit = await openCommit(context, ref);
  const text = await commit.read(place.lock, MAX_LOCK_BYTES);
  const name = `${place.lock} at ${commit.name}`;
  const lock = text && parseLockText(text, name);
  const accepted = (lock && (await acceptedPolicyOf(lock, name))) ?? (await configuredPolicy(commit, place, lock));
  return { name: commit.name, commit, ...(lock && { lock }), ...(accepted && { accepted }) };
}

/** The policy of a commit whose lock holds none: of its configuration, or else the preset `strict`. */
async function configuredPolicy(
  commit: Commit,
  place: PolicyPlace,
  lock: LockFile | undefined,
): Promise<AcceptedPolicy | undefined> {
  const file = policyFileOf(place);
  const text = await commit.read(file, MAX_POLICY_BYTES);
  const name = `${file} at ${commit.name}`;
  if (text !== undefined) return { policy: (await parsePolicyText(text, name)).policy, name };
  return lock && { policy: DEFAULT_POLICY, name: `${commit.name}, the preset strict` };
}
