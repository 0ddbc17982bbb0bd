import { createGuard, type Guard, type GuardOptions } from "@agentprint/guard";
import { asStated } from "@agentprint/policy";
import type { GuardCommandOptions } from "./guard-options.ts";
import type { LoadedLock } from "./load-lock.ts";

/** Creates the guard of one server. If a statement is required, the server is held to it, however its lists change. */
export function makeGuard(
  server: string,
  { lock, policy }: LoadedLock,
  { failOpen, dryRun, recheck, screen }: GuardCommandOptions,
  { onEvent, onOutput, ask }: Pick<GuardOptions, "onEvent" | "onOutput" | "ask">,
): Guard {
  return createGuard({
    lock,
    server,
    policy: asStated(policy, server),
    ...(onEvent && { onEvent }),
    ...(onOutput && { onOutput }),
    ...(ask && { ask }),
    failOpen,
    dryRun,
    recheckMs: recheck,
    ...(screen && { screen }),
  });
}

/** Makes a guard use a new lock and policy. */
export function replaceLock(guard: Guard, server: string, { lock, policy }: Pick<LoadedLock, "lock" | "policy">): void {
  guard.replaceLock(lock, asStated(policy, server));
}
