import type { ThoughtType } from "@agentprint/trail/record";
import type { Chain } from "../chain/chain.ts";
import type { ContentCipher } from "../encrypt/encrypt-content.ts";
import { MAX_CONTENT_LENGTH } from "../envelope/seal-event.ts";
import { RecorderError } from "../errors.ts";
import { checkInput } from "../event/check-event.ts";
import type { EventInput, RecordedEvent } from "../event/event.ts";
import { EVENT_KINDS } from "../event/event-kinds.ts";
import { EventTexts } from "../event/event-text.ts";
import type { UnendedSession } from "../sink/sink.ts";
import { type Acknowledgement, Receipt } from "./acknowledgement.ts";
import { Checkpoints } from "./checkpoints.ts";
import { EventQueue } from "./event-queue.ts";
import { GroupWriter } from "./group-writer.ts";
import type { ResolvedOptions } from "./resolve-options.ts";

/** The length of an envelope without its event, in UTF-16 units. */
const ENVELOPE_LENGTH = 256;
const SEQUENCE_DIGITS = 8;

type Unstamped<Event> = Event extends unknown ? Omit<Event, "agent" | "sequence" | "session"> : never;

/**
 * A thought: an agent's statement about itself. It is recorded unchanged, and no reader can mistake it for an event.
 */
export interface RecordedThought {
  readonly type: ThoughtType;
  readonly content: string;
}

/** Records one session's events and thoughts; see `createRecorder`. */
export class Recorder {
  /** The name of the session, and of its chain's task. */
  readonly sessionId: string;
  /** The earlier sessions that had no end when this one began; each has a gap in this chain. */
  readonly unended: readonly UnendedSession[];
  readonly #options: ResolvedOptions;
  readonly #chain: Chain;
  readonly #queue: EventQueue;
  readonly #writer: GroupWriter;
  readonly #checkpoints: Checkpoints | undefined;
  readonly #cipher: ContentCipher | undefined;
  #sequence = 0;
  #thoughts = 0;
  #lost = 0;
  /** The number of lost events that are not yet reported by a gap. */
  #untold = 0;
  #closing: Promise<void> | undefined;
  /** Set once another process has taken over the session. */
  #takenOver: RecorderError | undefined;
  readonly #texts: EventTexts;
  #clock = { time: 0, text: "" };
  readonly #closingListeners: (() => void)[] = [];

  constructor(options: ResolvedOptions, chain: Chain, unended: readonly UnendedSession[], cipher?: ContentCipher) {
    const { sessionId, checkpointTo, maxQueueBytes, groupMs } = options;
    this.sessionId = sessionId;
    this.#texts = new EventTexts(options.agentId, sessionId);
    this.unended = unended;
    this.#options = options;
    this.#chain = chain;
    this.#cipher = cipher;
    this.#queue = new EventQueue(maxQueueBytes);
    this.#writer = new GroupWriter({
      queue: this.#queue,
      chain,
      groupMs,
      onWritten: () => this.#tellGap(),
      onFailure: (cause) => this.#report("the store does not write", cause),
      onTakenOver: (error, givenUp) => this.#endTakenOver(error, givenUp.length),
    });
    this.#checkpoints =
      checkpointTo &&
      new Checkpoints(checkpointTo, chain, sessionId, (cause) => {
        this.#report("a checkpoint was not sent", cause);
        if (!this.#closing) this.#push({ kind: "fault", reason: "checkpoint-not-sent" });
      });
    this.#push({ kind: "session-start", attributes: { "process.pid": process.pid } });
    for (const { session, head, cut } of unended) {
      this.#push({
        kind: "gap",
        reason: "session-not-ended",
        lost: 0,
        of: session,
        cut,
        ...(head === undefined ? {} : { head }),
      });
    }
  }

  /** Writes the beginning of the session; throws whatever the store throws. */
  async begin(): Promise<void> {
    await this.#writer.begin();
    this.#checkpoints?.start();
  }

  /** Whether a call waits until its event is durable (`before`), or only while the queue is long (`behind`). */
  get mode(): "before" | "behind" {
    return this.#options.mode;
  }

  /** Calls `listener` when the session is about to end, while events can still be recorded. It must not throw. */
  onClosing(listener: () => void): void {
    this.#closingListeners.push(listener);
  }

  /** The number of events that this session has lost so far. */
  get lost(): number {
    return this.#lost;
  }

  /**
   * Records an event. The event is recorded in its current state; later changes to the object have no effect.
   *
   * @throws {@link RecorderError} `invalid-event` if a member is missing, unknown, or malformed; `closed`.
   */
  record(event: EventInput): Acknowledgement {
    this.#checkOpen();
    checkInput(event);
    return this.#push(event);
  }

  /**
   * Records a thought in the session's chain.
   *
   * @throws {@link RecorderError} `closed`.
   */
  think({ type, content }: RecordedThought): Acknowledgement {
    this.#checkOpen();
    const id = `${this.sessionId}.t${this.#thoughts++}`;
    const text = this.#cipher?.encryptThought(content, { id, task_id: this.sessionId, type }) ?? content;
    return this.#enqueue(new Receipt(id), type, text, false);
  }

  /** Waits until nothing is left to write, however long the store takes. */
  async flush(): Promise<void> {
    this.#writer.wake(true);
    await this.#writer.whenEmpty();
  }

  /**
   * Ends the session: records its end, waits until everything is durable, and sends the last checkpoint.
   *
   * @throws {@link RecorderError} `lost` if the store does not write in time (the next start then reports that the
   * session has no end); `taken-over` if another process took over the session while this one was silent (`lost` counts
   * the unrecorded events).
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const listener of this.#closingListeners) listener();
    if (!this.#takenOver) {
      this.#tellGap(true);
      this.#push({ kind: "session-end", lost: this.#lost }, true);
      this.#writer.wake(true);
    }
    const isInTime = await within(this.#options.closeWithinMs, this.#writer.whenEmpty());
    if (this.#takenOver) {
      await this.#chain.close(false).catch(() => {});
      throw this.#takenOver;
    }
    if (!isInTime) {
      const { length } = this.#writer.stop();
      this.#checkpoints?.stop();
      // A stuck write may never return.
      this.#chain.close(false).catch(() => {});
      throw new RecorderError("lost", `the store did not write in time: ${length} records were given up`);
    }
    await this.#checkpoints?.close();
    await this.#chain.close(true);
  }

  #checkOpen(): void {
    if (this.#closing) throw new RecorderError("closed", "the recorder is closed");
  }

  #push(event: Unstamped<RecordedEvent>, mustFit = false): Receipt {
    const sequence = this.#sequence++;
    const id = `${this.sessionId}.${String(sequence).padStart(SEQUENCE_DIGITS, "0")}`;
    const { type } = EVENT_KINDS[event.kind];
    const kept = this.#cipher?.encryptEvent(event, { id, task_id: this.sessionId, type }) ?? event;
    return this.#enqueue(new Receipt(id), type, this.#texts.write(kept, sequence), true, mustFit);
  }

  #enqueue(receipt: Receipt, type: ThoughtType, text: string, isEvent: boolean, mustFit = false): Receipt {
    const { id } = receipt;
    if (this.#takenOver) return this.#refuse(receipt);
    // After lost events, there is room again only once the queue is short, so that gaps and events do not alternate.
    const hasRoom = mustFit || (this.#untold === 0 && this.#queue.hasRoomFor(text));
    const isTooLong = text.length > MAX_CONTENT_LENGTH - ENVELOPE_LENGTH;
    if (!hasRoom || isTooLong) return this.#lose(receipt, isEvent, hasRoom ? "too-large" : "queue-full");
    this.#queue.push({ receipt, id, type, timestamp: this.#timestamp(), text, isEvent });
    this.#writer.wake();
    if (this.mode === "before") receipt.ready = receipt.durable();
    else if (this.#queue.isLong) receipt.ready = this.#writer.whenShort();
    return receipt;
  }

  /**
   * Refuses an event or a thought, because nothing, not even a gap, is recorded in a session that another process has
   * taken over.
   */
  #refuse(receipt: Receipt): Receipt {
    receipt.settle("lost");
    this.#lost++;
    if (this.mode === "before") receipt.ready = receipt.durable();
    return receipt;
  }

  #endTakenOver(error: RecorderError, givenUp: number): void {
    this.#takenOver = error;
    this.#lost += givenUp;
    this.#checkpoints?.stop();
    this.#notify(error);
  }

  #lose(receipt: Receipt, isEvent: boolean, reason: "queue-full" | "too-large"): Receipt {
    receipt.settle("lost");
    // A lost thought also takes a number, so that a gap states how many numbers it covers.
    if (!isEvent) this.#sequence++;
    this.#lost++;
    this.#untold++;
    if (reason === "too-large") this.#tellGap(true, reason);
    if (this.#untold <= 1) this.#report(`events are lost: ${reason}`);
    if (this.mode === "before") receipt.ready = receipt.durable();
    return receipt;
  }

  /** Records how many events were lost, if any, once the queue is short, or immediately with `now`. */
  #tellGap(now = false, reason = "queue-full"): void {
    if (this.#untold === 0 || (this.#queue.isLong && !now)) return;
    const lost = this.#untold;
    this.#untold = 0;
    this.#push({ kind: "gap", reason, lost }, true);
  }

  #report(what: string, cause?: unknown): void {
    const why = cause instanceof Error ? `: ${cause.message}` : "";
    this.#notify(new RecorderError("unavailable", `${what}${why}`, { cause }));
  }

  #notify(error: RecorderError): void {
    try {
      this.#options.onError(error);
    } catch {
      // Recording continues even if a listener throws.
    }
  }

  /** Returns the current time in ISO 8601; events in the same millisecond share the text. */
  #timestamp(): string {
    const time = Date.now();
    if (time !== this.#clock.time) this.#clock = { time, text: new Date(time).toISOString() };
    return this.#clock.text;
  }
}

/** Returns whether `promise` was fulfilled within a number of milliseconds. */
async function within(milliseconds: number, promise: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
