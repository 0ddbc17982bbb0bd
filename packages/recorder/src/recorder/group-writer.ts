import type { Chain } from "../chain/chain.ts";
import { RecorderError } from "../errors.ts";
import { type EventQueue, MAX_BATCH, type QueueEntry } from "./event-queue.ts";

/** In milliseconds. In milliseconds. Nobody waits for a write that takes longer. */
const STUCK_AFTER = 1_000;
/** In milliseconds. */
const MIN_PAUSE = 50;
const MAX_PAUSE = 5_000;
/**
 * The error codes of the system (including quotas), and of the SQLite and PostgreSQL stores, for a write without enough
 * space.
 */
const NO_ROOM: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "disk-full"]);

/** A writer's dependencies and listeners. */
export interface GroupWriterParts {
  readonly queue: EventQueue;
  readonly chain: Chain;
  readonly groupMs: number;
  readonly onWritten: () => void;
  /**
   * Called for the first failure, and again only for the first failure after the store has written everything that it
   * was given.
   */
  readonly onFailure: (error: unknown) => void;
  /** Called with the discarded entries when another process has taken over the session. */
  readonly onTakenOver: (error: RecorderError, givenUp: readonly QueueEntry[]) => void;
}

/** Writes the queued entries in groups, one write at a time, and retries until they are written. */
export class GroupWriter {
  readonly #parts: GroupWriterParts;
  #timer: NodeJS.Timeout | undefined;
  /** True until `begin` is called, so that nothing else writes before that. */
  #isWriting = true;
  /** Whether someone is waiting until everything in the queue is written. */
  #isUrgent = false;
  #isStuck = false;
  #isStopped = false;
  /** Whether the current failure was reported. */
  #isFailing = false;
  #pause = MIN_PAUSE;
  /** The maximum number of entries in one write; it is lower after a write found too little space. */
  #limit = MAX_BATCH;
  /** All callers that wait until the queue is short share this promise. */
  #short: Promise<void> | undefined;
  #waiting: (() => void)[] = [];

  constructor(parts: GroupWriterParts) {
    this.#parts = parts;
  }

  /** Writes everything queued so far; throws whatever the store throws. */
  async begin(): Promise<void> {
    while (this.#parts.queue.length > 0) await this.#append(this.#parts.queue.batch());
    this.#isWriting = false;
  }

  /** Makes the writer write soon; with `now`, without waiting for more entries. */
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
   * Waits until the queue is short, or returns immediately while the store does not write, because nothing should wait
   * for a dead store.
   */
  whenShort(): Promise<void> {
    this.#short ??= this.#when(() => this.#isStuck || !this.#parts.queue.isLong).then(() => {
      this.#short = undefined;
    });
    return this.#short;
  }

  /** Waits until everything in the queue is written. */
  whenEmpty(): Promise<void> {
    return this.#when(() => this.#parts.queue.length === 0);
  }

  /** Discards everything in the queue, and returns it. A write that has begun may still succeed. */
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
      // Events that arrived in the meantime are included, because one write per event would cost more than the events
      // themselves.
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
      // The clock starts only now, because the time spent on sealing in the calling thread is not the store's.
      watch = setTimeout(() => this.#setStuck(true), STUCK_AFTER).unref();
      await written;
    } catch (error) {
      return !this.#isStopped && this.#fail(error, batch.length);
    } finally {
      clearTimeout(watch);
    }
    this.#pause = MIN_PAUSE;
    this.#limit = this.#parts.queue.length === 0 ? MAX_BATCH : Math.min(2 * this.#limit, MAX_BATCH);
    // As long as only a part of a write fits, the reported failure continues.
    if (this.#limit === MAX_BATCH) this.#isFailing = false;
    this.#setStuck(false);
    this.#parts.onWritten();
    this.#tell();
    return true;
  }

  /**
   * Handles a failed write. Returns whether to continue immediately with fewer entries; otherwise, the write is tried
   * again later.
   */
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
    // A dead store must not keep the process from ending.
    this.#timer?.unref();
    this.#pause = Math.min(this.#pause * 2, MAX_PAUSE);
    return false;
  }

  async #append(batch: readonly QueueEntry[]): Promise<void> {
    const { queue, chain, groupMs } = this.#parts;
    // There is no pause if someone is waiting, or if events arrive as fast as they can be written.
    const isSpread = groupMs > 0 && !this.#isUrgent && !queue.isFullBatch;
    await chain.append(batch, isSpread);
    // The code that stopped this writer has already discarded the queue.
    if (this.#isStopped) return;
    queue.remove(batch.length);
    for (const { receipt } of batch) receipt.settle("durable");
  }

  #setStuck(isStuck: boolean): void {
    this.#isStuck = isStuck;
    if (isStuck) this.#tell();
  }
}
