import type { LockFile } from "@agentprint/mcp-lock/lock";
import { DEFAULT_POLICY } from "@agentprint/policy/apply";
import type { Settings } from "@agentprint/policy/settings";
import { type Commit, openCommit } from "../git/open-commit.ts";
import { MAX_LOCK_BYTES, parseLockText } from "../lock/read-lock.ts";
import { type AcceptedPolicy, acceptedPolicyOf } from "../policy/accepted-policy.ts";
import {
  MAX_POLICY_BYTES,
  NO_CONFIGURATION,
  type PolicyPlace,
  parsePolicyText,
  policyFileOf,
  type ReadConfiguration,
} from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/** The commit from which a change starts, such as the base of a pull request. */
export interface Base {
  /** The name that the user gave, and the beginning of the commit's id. */
  readonly name: string;
  readonly commit: Commit;
  /** The lock in the commit; absent if there is none. */
  readonly lock?: LockFile;
  /** The policy by which the change is judged; absent if the commit has neither a lock nor a policy. */
  readonly accepted?: AcceptedPolicy;
  /** The settings with which the change is checked; the change itself cannot choose them. */
  readonly settings: Settings;
}

/**
 * Reads the lock, the policy and the settings of a commit.
 *
 * @throws {@link CliError} `usage`, `git-failed`, `too-large` when the commit or one of its files cannot be read;
 * `unreadable-input` when its lock cannot be trusted; `invalid-config` when its policy cannot be read
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
  const locked = lock && (await acceptedPolicyOf(lock, name));
  const configured = await configuredIn(commit, place).catch((error: unknown): ReadConfiguration => {
    // A change must be able to correct its base's configuration; the base's policy is in the lock.
    if (locked === undefined || !(error instanceof CliError && error.code === "invalid-config")) throw error;
    return NO_CONFIGURATION;
  });
  const accepted = locked ?? policyOf(configured, commit, lock);
  const { settings } = configured;
  return { name: commit.name, commit, settings, ...(lock && { lock }), ...(accepted && { accepted }) };
}

/** Returns the configuration of a commit. */
async function configuredIn(commit: Commit, place: PolicyPlace): Promise<ReadConfiguration> {
  const file = policyFileOf(place);
  const text = await commit.read(file, MAX_POLICY_BYTES);
  return text === undefined ? NO_CONFIGURATION : parsePolicyText(text, `${file} at ${commit.name}`);
}

/** Returns the policy of a commit whose lock holds none: its configuration's, or else the preset `strict`. */
function policyOf(
  { policy, file }: ReadConfiguration,
  commit: Commit,
  lock: LockFile | undefined,
): AcceptedPolicy | undefined {
  if (file !== undefined) return { policy, name: file };
  return lock && { policy: DEFAULT_POLICY, name: `${commit.name}, the preset strict` };
}
