import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import type { PolicyPlace } from "../policy/read-policy.ts";
import { commandLine } from "../terminal/command-line.ts";

/** The command line that accepts the policy with this digest. */
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
