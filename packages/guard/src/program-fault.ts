import type { Clock } from "./options.ts";

/**
 * The failure of a function that the program passed to the guard: a callback, its clock or its random source. A message
 * never causes a fault, because it is always judged or refused.
 */
export class ProgramFault extends Error {
  constructor(cause: unknown) {
    super("a callback of the program failed", { cause });
  }
}

/** Calls one of the program's functions. @throws {@link ProgramFault} when it throws. */
export function ofProgram<Given extends unknown[], T>(call: (...given: Given) => T, ...given: Given): T {
  try {
    return call(...given);
  } catch (error) {
    throw error instanceof ProgramFault ? error : new ProgramFault(error);
  }
}

/** Returns the program's clock, in the form of a clock whose failures are faults. */
export function clockOfProgram(clock: Clock): Clock {
  return {
    now: () => ofProgram(() => clock.now()),
    after: (milliseconds, call) => {
      const stop = ofProgram(() => clock.after(milliseconds, call));
      return () => ofProgram(stop);
    },
  };
}
