import { createGuard, type Guard, type GuardEvent, type Step } from "@agentprint/guard";
import type { GuardCommandOptions } from "./guard-options.ts";
import type { LoadedLock } from "./load-lock.ts";

/** The guard of one server. */
export function makeGuard(
  server: string,
  { lock, policy }: LoadedLock,
  { failOpen, dryRun, recheck, screen }: GuardCommandOptions,
  { onEvent, onOutput }: { readonly onEvent: (event: GuardEvent) => void; readonly onOutput?: (step: Step) => void },
): Guard {
  return createGuard({
    lock,
    server,
    policy,
    onEvent,
    ...(onOutput && { onOutput }),
    failOpen,
    dryRun,
    recheckMs: recheck,
    ...(screen && { screen }),
  });
}
