import { RegistryError } from "../errors.ts";

/** The database's time limit for one request, with which the complete answer is sent within five seconds. */
const DATABASE_MS = 4000;

/** The time that a request may spend on the database. The clock stops while the request waits for something else. */
export class Deadline {
  readonly #ms: number;
  #left: number;
  #started = 0;
  #timer: NodeJS.Timeout | undefined;
  #end: (error: RegistryError) => void = () => {};
  #isOver = false;
  /** Whether the statements of a change have begun. */
  #mayBeStored = false;

  constructor(ms: number = DATABASE_MS) {
    this.#ms = ms;
    this.#left = ms;
  }

  /**
   * Returns the result of `work`.
   *
   * @throws {@link RegistryError} `UNAVAILABLE` when the time limit passes first; `work` continues, and its result is
   * dropped.
   */
  async race<T>(work: () => Promise<T>): Promise<T> {
    const over = new Promise<never>((_resolve, reject) => {
      this.#end = reject;
    });
    this.#run();
    try {
      return await Promise.race([work(), over]);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  /** Returns the result of `work`, whose duration does not count. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#started;
    try {
      return await work();
    } finally {
      this.#run();
    }
  }

  /**
   * Checks before a change's first statement that there is time left.
   *
   * @throws {@link RegistryError} `UNAVAILABLE` when the time limit has passed: no client waits for the work any more,
   * so it does not begin.
   */
  check(): void {
    if (this.#isOver) throw this.#error();
    this.#mayBeStored = true;
  }

  #run(): void {
    this.#started = performance.now();
    this.#timer = setTimeout(
      () => {
        this.#isOver = true;
        this.#end(this.#error());
      },
      Math.max(0, this.#left),
    );
  }

  #error(): RegistryError {
    const outcome = this.#mayBeStored ? "a change may or may not be stored" : "nothing was stored";
    const message = `the database did not answer within ${this.#ms / 1000} s; ${outcome}`;
    return new RegistryError("UNAVAILABLE", message, { headers: { "retry-after": "1" } });
  }
}
