import { setTimeout as sleep } from "node:timers/promises";
import type { GuardEvent } from "@agentprint/guard";
import type { EventInput, Recorder } from "@agentprint/recorder";

/** A call that must be durable before it continues is refused after this time, in milliseconds. */
const DURABLE_WITHIN = 5000;
/** The same limit for a call that arrives while the store has not yet written earlier events. */
const DURABLE_WITHIN_IF_STUCK = 100;

/**
 * How long events are collected after the calls, and then their records for one write, in milliseconds. The writing
 * thread takes about 10 more, so an event takes at most 50. Each timer and each write wakes threads in addition to the
 * calls: on two processors, a call took 1.6 times as long as through a byte pipe with 2 and 5 milliseconds, and 1.2 to
 * 1.4 times as long with 20 and 30.
 */
const GATHERED_FOR = 10;
export const WRITTEN_AFTER = 30;
/**
 * The most events that are recorded in one batch, which takes about 70 microseconds; more would delay the messages that
 * arrive in the meantime.
 */
const MAX_GATHERED = 16;

/** The destination of a guard's events. */
export interface Recording {
  readonly onEvent: (event: GuardEvent) => void;
  /**
   * Returns a promise that is fulfilled when the messages of the latest recorded events may continue, and rejected if
   * an event was lost; `undefined` if none has to wait.
   */
  readonly takeWait: () => Promise<unknown> | undefined;
  readonly close: () => Promise<void>;
}

/** The options of a recording. */
export interface RecordingOptions {
  readonly recorder: Recorder;
  /** Whether an event has to be durable before its message continues. */
  readonly isBefore: boolean;
  readonly inputOf: (event: GuardEvent) => EventInput;
  readonly onError: (error: Error) => void;
}

/**
 * A recording that either makes each call wait until its event is durable, or gathers events for a moment and records
 * them after the calls.
 */
export class GuardRecording implements Recording {
  readonly #recorder: Recorder;
  readonly #isBefore: boolean;
  readonly #inputOf: (event: GuardEvent) => EventInput;
  readonly #onError: (error: Error) => void;
  #isClosed = false;
  #isStuck = false;
  #wait: Promise<unknown> | undefined;
  #gathered: GuardEvent[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor({ recorder, isBefore, inputOf, onError }: RecordingOptions) {
    this.#recorder = recorder;
    this.#isBefore = isBefore;
    this.#inputOf = inputOf;
    this.#onError = onError;
  }

  readonly onEvent = (event: GuardEvent): void => {
    if (this.#isBefore || this.#isClosed) this.#recordNow(event);
    else this.#gather(event);
  };

  readonly takeWait = (): Promise<unknown> | undefined => {
    const taken = this.#wait;
    this.#wait = undefined;
    return taken;
  };

  readonly close = async (): Promise<void> => {
    this.#recordGathered();
    this.#isClosed = true;
    await this.#recorder.close().catch(this.#onError);
  };

  #gather(event: GuardEvent): void {
    this.#gathered.push(event);
    if (this.#gathered.length === MAX_GATHERED) setImmediate(() => this.#recordGathered());
    else this.#timer ??= setTimeout(() => this.#recordGathered(), GATHERED_FOR);
  }

  #recordGathered(): void {
    const events = this.#gathered;
    this.#gathered = [];
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const event of events) {
      try {
        this.#recorder.record(this.#inputOf(event));
      } catch (error) {
        this.#onError(error as Error);
        this.#recorder.record({ kind: "fault", reason: "event-not-recorded" });
      }
    }
  }

  #recordNow(event: GuardEvent): void {
    const input = this.#inputOf(event);
    const { ready } = this.#recorder.record(input);
    if (input.kind !== "call") return;
    void ready.then(
      () => {
        this.#isStuck = false;
      },
      () => undefined,
    );
    const isDurable = this.#durableInTime(input, ready);
    this.#wait = this.#wait === undefined ? isDurable : Promise.all([this.#wait, isDurable]);
    // A caller that ignores the promise must not cause an unhandled rejection.
    this.#wait.catch(() => undefined);
  }

  async #durableInTime(input: EventInput, ready: Promise<void>): Promise<void> {
    try {
      await inTime(ready, this.#isStuck ? DURABLE_WITHIN_IF_STUCK : DURABLE_WITHIN);
    } catch (error) {
      this.#isStuck = true;
      // A store that recovers has both the call's event and the event that the call was refused.
      if (!this.#isClosed) {
        this.#recorder.record({ ...input, kind: "refused", outcome: "refused", reason: "not recorded in time" });
      }
      throw error;
    }
  }
}

/** @throws {@link Error} when a promise is not settled in time */
async function inTime(promise: Promise<void>, milliseconds: number): Promise<void> {
  const late = new AbortController();
  const waited = sleep(milliseconds, undefined, { signal: late.signal }).then(() => {
    throw new Error(`not written within ${milliseconds} ms`);
  });
  try {
    await Promise.race([promise, waited]);
  } finally {
    late.abort();
    waited.catch(() => undefined);
  }
}
