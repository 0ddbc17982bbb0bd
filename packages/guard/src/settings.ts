import { GuardError } from "./errors.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import type { Clock, GuardOptions } from "./options.ts";
import { clockOfProgram } from "./program-fault.ts";

/** The machine's clock. Its timers do not keep a process alive. */
export const systemClock: Clock = /* @__PURE__ */ Object.freeze<Clock>({
  now: () => performance.timeOrigin + performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    timer.unref?.();
    return () => clearTimeout(timer);
  },
});

const DEFAULT_RECHECK_MS = 60_000;

/** A guard's options that never change. */
export interface Settings {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly failOpen: boolean;
  readonly dryRun: boolean;
  /** The number of milliseconds for which a verified list is valid. */
  readonly recheckMs: number;
}

/**
 * Returns the settings that the options give, completed by the defaults.
 *
 * @throws {@link GuardError} `invalid-option` when `recheckMs` is not a duration.
 */
export function settingsOf({ clock, limits, failOpen, dryRun, recheckMs }: GuardOptions): Settings {
  const settings = {
    clock: clock === undefined ? systemClock : clockOfProgram(clock),
    limits: { ...DEFAULT_LIMITS, ...limits },
    failOpen: failOpen ?? false,
    dryRun: dryRun ?? false,
    recheckMs: recheckMs ?? DEFAULT_RECHECK_MS,
  };
  if (settings.recheckMs >= 0) return settings;
  throw new GuardError("invalid-option", `expected recheckMs ≥ 0, received ${recheckMs}`);
}
