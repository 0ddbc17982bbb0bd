/**
 * Lets one request proceed in each turn of the event loop, whatever the number of connections. A request that is
 * handled without waiting for its turn thus waits for at most one other request, not for thousands.
 */
export class Turns {
  #waiting: (() => void)[] = [];
  #isRunning = false;

  /** Calls `take` in a later turn of the event loop, after all earlier callers. */
  ask(take: () => void): void {
    this.#waiting.push(take);
    if (!this.#isRunning) this.#run();
  }

  #run(): void {
    this.#isRunning = true;
    setImmediate(() => {
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#run();
      else this.#isRunning = false;
    });
  }
}
