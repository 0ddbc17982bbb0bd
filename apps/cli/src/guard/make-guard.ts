import { createGuard, type Guard, type GuardOptions } from "@agentprint/guard";
import type { GuardCommandOptions } from "./guard-options.ts";
import type { LoadedLock } from "./load-lock.ts";

/** The guard of one server. */
export function makeGuard(
  server: string,
  { lock, policy }: LoadedLock,
  { failOpen, dryRun, recheck, screen }: GuardCommandOptions,
  { onEvent, onOutput, ask }: Pick<GuardOptions, "onEvent" | "onOutput" | "ask">,
): Guard {
  return createGuard({
    lock,
    server,
    policy,
    ...(onEvent && { onEvent }),
    ...(onOutput && { onOutput }),
    ...(ask && { ask }),
    failOpen,
    dryRun,
    recheckMs: recheck,
    ...(screen && { screen }),
  });
}
