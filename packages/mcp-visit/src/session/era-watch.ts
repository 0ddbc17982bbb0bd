/** The minimum silence that means that there is no such era, in milliseconds. */
const MIN_SILENCE = 1000;
/** The minimum time that a silent server gets to show that it is only slow, in milliseconds. */
export const MIN_DOUBT = 5000;

/** A visit's progress in one era, as watched by the other era. */
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

  /** Records that the era has answered, `milliseconds` after its first request. */
  greeted(milliseconds: number): void {
    this.#greeted?.(milliseconds);
  }

  /** Records that everything in the era has been read. */
  finished(): void {
    this.#finished?.();
  }

  /**
   * Resolves when the other era has been silent for too long: this era has answered, the allowed silence has passed,
   * and this era is finished (until then, a late answer of the other era still counts).
   *
   * @returns How long the other era may be tested for being merely slow, in milliseconds.
   */
  async silenceOfOther(startedAt: number): Promise<number> {
    const allowed = silence(await this.#greeting, this.#probeTimeout);
    const passed = performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, allowed - passed)).unref());
    await this.#end;
    return this.#probeTimeout ?? Math.max(MIN_DOUBT, allowed);
  }
}

/**
 * Returns how long a server may be silent before an era or list counts as missing, based on the time to its first
 * answer; all in milliseconds.
 */
export function silence(firstAnswer: number, probeTimeout: number | undefined): number {
  return probeTimeout ?? Math.max(MIN_SILENCE, 2 * firstAnswer);
}
