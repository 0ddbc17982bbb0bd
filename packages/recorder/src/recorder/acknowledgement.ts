import { RecorderError } from "../errors.ts";

/** The recorder's immediate response to an event. */
export interface Acknowledgement {
  /** The id of the event's record. */
  readonly id: string;
  /**
   * Fulfilled when the call may continue. In mode `behind`, this is immediately, or once the queue is shorter; in mode
   * `before`, once the event is durable.
   *
   * @throws {@link RecorderError} `lost` in mode `before`, if the event will not be recorded.
   */
  readonly ready: Promise<void>;
  /**
   * Fulfilled when the record would survive a crash of the machine.
   *
   * @throws {@link RecorderError} `lost` if the event will not be recorded.
   */
  readonly durable: () => Promise<void>;
}

const NOW: Promise<void> = Promise.resolve();

/** A record to be written, and the callers that wait for it. */
export class Receipt implements Acknowledgement {
  readonly id: string;
  ready: Promise<void> = NOW;
  #state: "durable" | "lost" | "waiting" = "waiting";
  #promise: Promise<void> | undefined;
  #settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;

  constructor(id: string) {
    this.id = id;
  }

  durable(): Promise<void> {
    if (this.#promise === undefined) {
      this.#promise = new Promise((resolve, reject) => {
        this.#settle = { resolve, reject };
      });
      // A rejection must not affect a caller that does not await it.
      this.#promise.catch(() => {});
      this.#tell();
    }
    return this.#promise;
  }

  settle(state: "durable" | "lost"): void {
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    if (this.#state === "durable") this.#settle?.resolve();
    if (this.#state === "lost") this.#settle?.reject(new RecorderError("lost", `event ${this.id} is not recorded`));
  }
}
