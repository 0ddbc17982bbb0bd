/** The shortest silence that means that there is no such era, in milliseconds. */
const MIN_SILENCE = 1000;
/** The shortest time in which a silent server can show that it is only slow, in milliseconds. */
const MIN_DOUBT = 5000;

/** What the two eras of a visit know of each other. */
export class EraWatch {
  readonly #probeTimeout: number | undefined;
  #greeted: ((firstAnswer: number) => void) | undefined;
  #finished: (() => void) | undefined;
  readonly #greeting: Promise<number>;
  readonly #end: Promise<void>;

  constructor(probeTimeout: number | undefined) {
    this.#probeTimeout = probeTimeout;
    this.#greeting = new Promise((resolve) => {
      this.#greeted = resolve;
    });
    this.#end = new Promise((resolve) => {
      this.#finished = resolve;
    });
  }

  /** The era has answered, `milliseconds` after it was asked first. */
  greeted(milliseconds: number): void {
    this.#greeted?.(milliseconds);
  }

  /** The era has told everything. */
  finished(): void {
    this.#finished?.();
  }

  /**
   * Resolves when the other era has been silent for too long: once this era has answered and that time has passed, and
   * no sooner than this era is finished, so that a late answer still counts.
   *
   * @returns for how long the other era may be asked whether it is only slow, in milliseconds
   */
  async silenceOfOther(startedAt: number): Promise<number> {
    const allowed = silence(await this.#greeting, this.#probeTimeout);
    const passed = performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, allowed - passed)).unref());
    await this.#end;
    return this.#probeTimeout ?? Math.max(MIN_DOUBT, allowed);
  }
}

/** How long silence means that something is not there, given the time to a first answer, both in milliseconds. */
export function silence(firstAnswer: number, probeTimeout: number | undefined): number {
  return probeTimeout ?? Math.max(MIN_SILENCE, 2 * firstAnswer);
}
