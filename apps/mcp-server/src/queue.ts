import { McpServerError } from "./errors.ts";

/**
 * A queue for jobs that take much memory or many turns of the event loop: one runs at a time, and the others wait in
 * order. Each job begins in its own turn, so that independent requests, such as `/healthz`, wait for at most one job.
 */
export class Queue {
  /** Callbacks that start the waiting jobs, in order. */
  readonly #waiting = new Set<() => void>();
  #isRunning = false;

  /**
   * Runs a job when the jobs before it are done.
   *
   * @param signal Removes the job from the queue if it is aborted before its turn
   * @throws {@link McpServerError} `CANCELLED`.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#isRunning) await this.#turn(signal);
    this.#isRunning = true;
    try {
      return await work();
    } finally {
      setImmediate(() => this.#beginNext());
    }
  }

  #beginNext(): void {
    const [begin] = this.#waiting;
    // The next job begins in a later microtask, and no request that arrives in between overtakes it.
    this.#isRunning = begin !== undefined;
    begin?.();
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        end();
        resolve();
      };
      const leave = (): void => {
        end();
        reject(new McpServerError("CANCELLED", "the call was cancelled, and nothing was done"));
      };
      const end = (): void => {
        this.#waiting.delete(begin);
        signal?.removeEventListener("abort", leave);
      };
      this.#waiting.add(begin);
      signal?.addEventListener("abort", leave);
      if (signal?.aborted) leave();
    });
  }
}
