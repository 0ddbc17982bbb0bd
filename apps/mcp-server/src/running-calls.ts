import { setImmediate } from "node:timers/promises";

/** The tool calls that have not ended yet. */
export class RunningCalls {
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /** The number of running calls. */
  get size(): number {
    return this.#running.size;
  }

  /** Runs a call with a signal that is aborted when the client cancels it, or when the server ends. */
  async run<T>(cancelled: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = call(AbortSignal.any([cancelled, this.#ending.signal]));
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Aborts every call, and waits until each has passed its answer to the transport. */
  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled(this.#running);
    // The transport writes an answer in the microtasks after the call has ended.
    await setImmediate();
  }
}
