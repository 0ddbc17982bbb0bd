/** The time, and what is to happen later. */
export interface Clock {
  /** Milliseconds; never goes back. */
  now(): number;
  /** Calls a function once, after this many milliseconds. The function that it returns prevents that. */
  after(milliseconds: number, call: () => void): () => void;
}

/** The clock of the machine. What is to happen later keeps no process alive. */
export const systemClock: Clock = /* @__PURE__ */ Object.freeze<Clock>({
  now: () => performance.timeOrigin + performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    timer.unref?.();
    return () => clearTimeout(timer);
  },
});
