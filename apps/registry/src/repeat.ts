/** Work that is repeated until it is stopped. */
export interface Repeated {
  /** Stops the repetition and waits for a run in progress. */
  readonly end: () => Promise<void>;
  /** Runs the work now, or after the run in progress if there is one. */
  readonly wake: () => void;
}

/**
 * Runs `work` every `ms` milliseconds, never concurrently; the timer does not keep the process alive. `work` must not
 * throw.
 */
export function repeat(ms: number, work: () => Promise<void>): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let ended = false;
  const run = (): void => {
    clearTimeout(timer);
    if (ended) return;
    if (running) {
      again = true;
      return;
    }
    again = false;
    running = work().finally(() => {
      running = undefined;
      if (again) run();
      else if (!ended) timer = setTimeout(run, ms).unref();
    });
  };
  timer = setTimeout(run, ms).unref();
  return {
    wake: run,
    end: async () => {
      ended = true;
      clearTimeout(timer);
      await running;
    },
  };
}
