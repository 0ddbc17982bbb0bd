/** A source of time and of timers. */
export interface Clock {
  /** Returns milliseconds; never goes back. */
  now(): number;
  /** Calls a function once, after this many milliseconds. Returns the function that cancels the call. */
  after(milliseconds: number, call: () => void): () => void;
}

/** The clock of the machine. Its timers keep no process alive. */
export const systemClock: Clock = /* @__PURE__ */ Object.freeze<Clock>({
  now: () => performance.timeOrigin + performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    timer.unref?.();
    return () => clearTimeout(timer);
  },
});
