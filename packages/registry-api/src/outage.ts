import type { Connection } from "./connection.ts";
import type { HearOptions } from "./registry-client.ts";
import { transientOf } from "./request.ts";

/** The pause after a stream that ended by itself. */
const RECONNECT_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** A registry that requests a longer pause is queried again after this time. */
const MAX_ASKED_PAUSE_MS = 3_600_000;
/** How often `onWait` is called while the registry does not answer. */
const NOTICE_MS = 60_000;

/** A period in which a registry does not answer, with growing pauses and calls of `onWait`. */
export class Outage {
  readonly #connection: Connection;
  readonly #onWait: HearOptions["onWait"];
  #failures = 0;
  #waitedMs = 0;
  /** The time at which `onWait` is called again. */
  #noticeAtMs = 0;

  constructor(connection: Connection, onWait: HearOptions["onWait"]) {
    this.#connection = connection;
    this.#onWait = onWait;
  }

  /** Ends the outage when the registry answers. */
  end(): void {
    if (this.#failures > 0) this.#onWait?.({ waitedMs: this.#waitedMs, reason: undefined });
    this.#failures = 0;
    this.#waitedMs = 0;
    this.#noticeAtMs = 0;
  }

  /** Waits before a stream that ended without an error is opened again. */
  async pause(): Promise<void> {
    await this.#sleep(RECONNECT_MS);
  }

  /**
   * Waits after a temporary failure. Before the stream has begun for the first time, `retries` limits the number of
   * waits.
   *
   * @throws any error that waiting cannot fix
   */
  async wait(error: unknown, isStarted: boolean): Promise<void> {
    const transient = transientOf(error);
    if (!transient || (!isStarted && this.#failures >= this.#connection.startRetries)) throw transient?.cause ?? error;
    const grown = Math.min(RECONNECT_MS * 2 ** this.#failures, MAX_PAUSE_MS) * (0.5 + Math.random() / 2);
    const pauseMs = Math.max(grown, Math.min(transient.waitMs, MAX_ASKED_PAUSE_MS));
    const reason = transient.cause.message;
    this.#failures++;
    this.#tell(reason);
    // A long pause is split so that the reader is notified each minute.
    for (let left = pauseMs; left > 0 && !this.#connection.signal?.aborted; ) {
      const part = Math.min(left, Math.max(1, this.#noticeAtMs - this.#waitedMs));
      await this.#sleep(part);
      this.#waitedMs += part;
      left -= part;
      this.#tell(reason);
    }
  }

  #tell(reason: string): void {
    if (this.#waitedMs < this.#noticeAtMs) return;
    this.#noticeAtMs = this.#waitedMs + NOTICE_MS;
    this.#onWait?.({ waitedMs: this.#waitedMs, reason });
  }

  /** Waits for the given time, or until the signal ends everything. */
  #sleep(ms: number): Promise<void> {
    const { signal } = this.#connection;
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done);
      if (signal?.aborted) done();
    });
  }
}
