/** The maximum number of processes of one server at the same time. */
const MAX_PROCESSES = 100;
/** The time for which a client waits for a slot, in milliseconds. */
const WAITED = 10_000;

/** The error when every slot is taken by a process in use. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/** The slots for at most a hundred processes of a server. A slot is reserved before any wait. */
export class ProcessPlaces {
  #taken = 0;
  #ending = 0;
  readonly #waiting = new Set<() => void>();

  /**
   * Reserves a slot.
   *
   * @param makeRoom Begins to stop an unused process; `undefined` if there is none
   * @throws {@link BusyError} if none becomes free in time
   */
  async take(makeRoom: () => Promise<unknown> | undefined): Promise<void> {
    const until = performance.now() + WAITED;
    while (this.#taken >= MAX_PROCESSES) {
      if (this.#ending <= this.#waiting.size) this.#end(makeRoom());
      const left = until - performance.now();
      if (left <= 0) throw new BusyError("all processes of the server are in use");
      await this.#changed(left);
    }
    this.#taken++;
  }

  /** Frees a slot whose process has ended or was not started. */
  free(): void {
    this.#taken--;
    this.wake();
  }

  /** Lets the waiting clients try again, because a slot may be free or a process may be unused. */
  wake(): void {
    for (const resolve of this.#waiting) resolve();
  }

  #end(ending: Promise<unknown> | undefined): void {
    if (ending === undefined) return;
    this.#ending++;
    void ending.finally(() => this.#ending--);
  }

  async #changed(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.#waiting.add(done);
    });
  }
}
