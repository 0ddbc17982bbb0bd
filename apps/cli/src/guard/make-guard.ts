import { randomBytes } from "node:crypto";
import { createGuard, type Guard, type GuardEvent, type Step } from "@agentprint/guard";
import type { GuardCommandOptions } from "./guard-options.ts";
import type { LoadedLock } from "./load-lock.ts";

/** The time of this process for guards, in milliseconds since 1970. */
const CLOCK = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds: number, call: () => void) => {
    const timer = setTimeout(call, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The guard of one server, with the time and the chance of this process. */
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
    clock: CLOCK,
    random: randomBytes,
    failOpen,
    dryRun,
    recheckMs: recheck,
    screen,
  });
}
