import { type FSWatcher, unwatchFile, watchFile } from "node:fs";
import type { LockFile } from "@agentprint/mcp-lock/lock";
import type { Policy } from "@agentprint/policy/apply";
import type { Context } from "../context.ts";
import { type ReadLock, readLock } from "../lock/read-lock.ts";
import { judgePolicy } from "../policy/judge-policy.ts";
import { policyFileOf, readPolicy } from "../policy/read-policy.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";
import type { GuardCommandOptions } from "./guard-options.ts";

/** What a guard guards by. */
export interface LoadedLock {
  readonly read: ReadLock;
  readonly lock: LockFile;
  /** The accepted policy where the present one is weaker. */
  readonly policy: Policy;
}

/** How often it is looked whether the lock was replaced, in milliseconds. */
const LOOK = 1000;

/**
 * The lock, and the policy that decides.
 *
 * @throws {@link CliError} `missing-lock`, `unreadable-input`, `too-large`, `invalid-config` when one of them cannot be read
 */
export async function loadLock(context: Context, options: GuardCommandOptions): Promise<LoadedLock> {
  const { lock: file, policy: config } = options;
  const read = await readLock(context, file);
  const place = { lock: file, ...(config !== undefined && { config }) };
  const { policy, weakened } = await judgePolicy(await readPolicy(context, place), read.lock, undefined, place);
  if (weakened.length > 0) {
    printNotices(context, [
      "the policy is weaker than the accepted one, which decides: agentprint approve --policy accepts it",
    ]);
  }
  return { read, lock: read.lock, policy: policy.policy };
}

/** Hands over the lock and the policy whenever one of the files was replaced. A broken one keeps the old, and says so. */
export function watchLock(
  context: Context,
  options: GuardCommandOptions,
  onReplaced: (loaded: LoadedLock) => void,
): Pick<FSWatcher, "close"> {
  const { lock, policy: config } = options;
  const files = [lock, policyFileOf({ lock, config })].map((file) => context.pathOf(file));
  let last: Promise<void> = Promise.resolve();
  const reload = (): void => {
    last = last.then(async () => {
      try {
        onReplaced(await loadLock(context, options));
      } catch (error) {
        printError(context, error);
        printNotices(context, [`the guard goes on by the lock and the policy that it has`]);
      }
    });
  };
  for (const file of files) watchFile(file, { interval: LOOK, persistent: false }, reload);
  return {
    close: () => {
      for (const file of files) unwatchFile(file, reload);
    },
  };
}
