import type { Chain } from "../chain/chain.ts";
import { RecorderError } from "../errors.ts";
import { type EventQueue, MAX_BATCH, type QueueEntry } from "./event-queue.ts";

/** In milliseconds. Nobody waits for a write that takes longer. */
const STUCK_AFTER = 1_000;
/** In milliseconds. */
const MIN_PAUSE = 50;
const MAX_PAUSE = 5_000;
/** Error codes of the system, of the SQLite and PostgreSQL stores, and of a quota, for a write without enough room. */
const NO_ROOM: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "disk-full"]);

/** The dependencies and the listeners of a writer. */
export interface GroupWriterParts {
  readonly queue: EventQueue;
  readonly chain: Chain;
  readonly groupMs: number;
  readonly onWritten: () => void;
  /** Called for the first failure, and again only for the first one after the store has written everything it was given. */
  readonly onFailure: (error: unknown) => void;
  /** Called when another process has taken the session over, with the discarded entries. */
  readonly onTakenOver: (error: RecorderError, givenUp: readonly QueueEntry[]) => void;
}

/** Writes the queued entries in groups, one write at a time, and retries until they are written. */
export class GroupWriter {
  readonly #parts: GroupWriterParts;
  #timer: NodeJS.Timeout | undefined;
  /** Until `begin` was called, nothing else writes. */
  #isWriting = true;
  /** Whether someone waits for everything that is queued. */
  #isUrgent = false;
  #isStuck = false;
  #isStopped = false;
  /** Whether the current failure was reported. */
  #isFailing = false;
  #pause = MIN_PAUSE;
  /** The most entries of one write; fewer after a write found no room. */
  #limit = MAX_BATCH;
  /** All callers that wait for a short queue share one promise. */
  #short: Promise<void> | undefined;
  #waiting: (() => void)[] = [];

  constructor(parts: GroupWriterParts) {
    this.#parts = parts;
  }

  /** Writes everything queued so far; throws what the store throws. */
  async begin(): Promise<void> {
    while (this.#parts.queue.length > 0) await this.#append(this.#parts.queue.batch());
    this.#isWriting = false;
  }

  /** Writes soon; with `now`, without waiting for more entries. */
  wake(now = false): void {
    this.#isUrgent ||= now;
    if (this.#isWriting || this.#isStopped) return;
    if (now) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    if (this.#timer === undefined) this.#later(now ? 0 : this.#parts.groupMs);
  }

  /**
   * Waits until the queue is short, or returns immediately while the store does not write: nothing waits for a dead
   * store.
   */
  whenShort(): Promise<void> {
    this.#short ??= this.#when(() => this.#isStuck || !this.#parts.queue.isLong).then(() => {
      this.#short = undefined;
    });
    return this.#short;
  }

  /** Waits until everything queued is written. */
  whenEmpty(): Promise<void> {
    return this.#when(() => this.#parts.queue.length === 0);
  }

  /** Discards everything queued, and returns it. A write that has begun may still succeed. */
  stop(): readonly QueueEntry[] {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const entries = this.#parts.queue.drain();
    for (const { receipt } of entries) receipt.settle("lost");
    this.#tell();
    return entries;
  }

  async #when(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #tell(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #later(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#writeAll();
    }, milliseconds);
  }

  async #writeAll(): Promise<void> {
    const { queue, groupMs } = this.#parts;
    this.#isWriting = true;
    for (let isWritten = true; isWritten && queue.length > 0 && !this.#isStopped; ) {
      const begun = performance.now();
      isWritten = await this.#writeBatch(queue.batch(this.#limit));
      // Events that arrived in the meantime are included, too: a write per event would cost more than the events.
      const rest = groupMs - (performance.now() - begun);
      if (!isWritten || this.#isUrgent || queue.isFullBatch || rest < 1) continue;
      if (queue.length > 0) this.#later(rest);
      break;
    }
    if (queue.length === 0) this.#isUrgent = false;
    this.#isWriting = false;
  }

  /** Writes a batch, and returns whether to continue immediately. */
  async #writeBatch(batch: readonly QueueEntry[]): Promise<boolean> {
    let watch: NodeJS.Timeout | undefined;
    try {
      const written = this.#append(batch);
      // The clock starts only now: time for sealing in the calling thread is not the store's.
      watch = setTimeout(() => this.#setStuck(true), STUCK_AFTER).unref();
      await written;
    } catch (error) {
      return !this.#isStopped && this.#fail(error, batch.length);
    } finally {
      clearTimeout(watch);
    }
    this.#pause = MIN_PAUSE;
    this.#limit = this.#parts.queue.length === 0 ? MAX_BATCH : Math.min(2 * this.#limit, MAX_BATCH);
    // While only parts of a write fit, the reported failure continues.
    if (this.#limit === MAX_BATCH) this.#isFailing = false;
    this.#setStuck(false);
    this.#parts.onWritten();
    this.#tell();
    return true;
  }

  /** Handles a failed write. Returns whether to continue immediately with fewer entries; otherwise it retries later. */
  #fail(error: unknown, entries: number): boolean {
    if (error instanceof RecorderError && error.code === "taken-over") {
      this.#parts.onTakenOver(error, this.stop());
      return false;
    }
    if (!this.#isFailing) this.#parts.onFailure(error);
    this.#isFailing = true;
    this.#setStuck(true);
    if (entries > 1 && NO_ROOM.has((error as { code?: unknown }).code)) {
      this.#limit = Math.floor(entries / 2);
      return true;
    }
    this.#later(this.#pause);
    // A dead store does not keep the process from ending.
    this.#timer?.unref();
    this.#pause = Math.min(this.#pause * 2, MAX_PAUSE);
    return false;
  }

  async #append(batch: readonly QueueEntry[]): Promise<void> {
    const { queue, chain, groupMs } = this.#parts;
    // No pause if someone waits, or if events arrive as fast as they can be written.
    const isSpread = groupMs > 0 && !this.#isUrgent && !queue.isFullBatch;
    await chain.append(batch, isSpread);
    // The code that stopped this writer has discarded the queue.
    if (this.#isStopped) return;
    queue.remove(batch.length);
    for (const { receipt } of batch) receipt.settle("durable");
  }

  #setStuck(isStuck: boolean): void {
    this.#isStuck = isStuck;
    if (isStuck) this.#tell();
  }
}
