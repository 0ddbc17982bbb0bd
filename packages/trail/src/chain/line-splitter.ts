import { LineBuffer } from "@agentprint/canonical-json";
import { taskNumber, taskNumberOfLine } from "../accelerators/task-of-line.ts";
import { blocksOf, checkLineLength, LineParser } from "./thought-lines.ts";
import { taskIdOf } from "./verify-tasks.ts";

const LINE_FEED = 0x0a;
const BATCH_BYTES = 256 * 1024;

/** Whole lines of a text of many tasks, for the worker that verifies their tasks. */
export interface LineBatch {
  /** The number of the worker, from 0. */
  readonly share: number;
  /** The lines, with a line feed between them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The number of each line in the text, from 1. */
  readonly lines: Float64Array<ArrayBuffer>;
  /** Whether the text ended before a line feed ended this one line. */
  readonly isUnfinished: boolean;
}

/**
 * Shares the lines of a JSON Lines text out among workers: all lines of a task go to one of them, in their order. A new task goes to
 * the worker with the fewest bytes so far, a line that names no task to the first.
 *
 * @example
 * ```ts
 * import { joinShares, LineSplitter, ShareVerifier } from "@agentprint/trail/chain";
 *
 * const bytes = new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
 * const verifiers = [new ShareVerifier(), new ShareVerifier()];
 * const splitter = new LineSplitter(verifiers.length);
 * for (const batch of [...splitter.push(bytes), ...splitter.end()]) verifiers[batch.share]?.push(batch);
 * console.log(joinShares(verifiers.map((verifier) => verifier.finish())).ok);
 * ```
 */
export class LineSplitter {
  readonly #buffer = new LineBuffer();
  readonly #parser = new LineParser();
  readonly #shares: Share[];
  readonly #shareOfTask = new Map<number, Share>();
  readonly #spare: ArrayBuffer[] = [];
  #line = 1;

  /** @param count - How many workers there are; at least one. */
  constructor(count: number) {
    this.#shares = Array.from({ length: count }, (_, index) => new Share(index, this.#spare));
  }

  /** Takes back the bytes of a batch that was verified, for a later batch: new memory costs more time than copying into it. */
  reuse({ buffer }: LineBatch["bytes"]): void {
    if (buffer.byteLength === BATCH_BYTES) this.#spare.push(buffer);
  }

  /**
   * Takes the next piece of the text, and returns the batches that are full.
   *
   * @throws {@link TrailError} `line-too-long` when a line has more than 64 MiB.
   */
  push(chunk: Uint8Array): LineBatch[] {
    const full: LineBatch[] = [];
    for (const block of blocksOf(this.#buffer, chunk)) this.#split(block, full);
    checkLineLength(this.#buffer.pendingBytes, this.#line);
    return full;
  }

  /** Returns the batches that are not full, and the line that no line feed ends. */
  end(): LineBatch[] {
    const batches = this.#shares.flatMap((share) => share.take(false) ?? []);
    const line = this.#buffer.end();
    if (line === undefined) return batches;
    const share = this.#shareOf(line, 0, line.length);
    share.add(line, 0, line.length, this.#line);
    return [...batches, ...(share.take(true) ?? [])];
  }

  #split(block: Uint8Array, full: LineBatch[]): void {
    for (let start = 0; start <= block.length; ) {
      const feed = block.indexOf(LINE_FEED, start);
      const end = feed < 0 ? block.length : feed;
      const share = this.#shareOf(block, start, end);
      if (!share.hasRoomFor(end - start)) full.push(...(share.take(false) ?? []));
      share.add(block, start, end, this.#line++);
      start = end + 1;
    }
  }

  #shareOf(bytes: Uint8Array, start: number, end: number): Share {
    const number = taskNumberOfLine(bytes, start, end);
    return number < 0 ? this.#shareOfText(bytes.subarray(start, end)) : this.#shareOfNumber(number);
  }

  /** The share of a line that has to be parsed. */
  #shareOfText(line: Uint8Array): Share {
    const taskId = taskIdOf(this.#parser.parseLastLine(line, 1));
    return taskId === undefined ? (this.#shares[0] as Share) : this.#shareOfNumber(taskNumber(taskId));
  }

  #shareOfNumber(number: number): Share {
    const known = this.#shareOfTask.get(number);
    if (known !== undefined) return known;
    const share = this.#shares.reduce((least, other) => (other.totalBytes < least.totalBytes ? other : least));
    this.#shareOfTask.set(number, share);
    return share;
  }
}

/** The batch of one worker that is being filled. */
class Share {
  /** Bytes of all its lines so far. */
  totalBytes = 0;
  readonly #index: number;
  /** Memory of earlier batches. */
  readonly #spare: ArrayBuffer[];
  #bytes = new Uint8Array(BATCH_BYTES);
  #used = 0;
  #lines: number[] = [];

  constructor(index: number, spare: ArrayBuffer[]) {
    this.#index = index;
    this.#spare = spare;
  }

  hasRoomFor(length: number): boolean {
    return this.#used + length < this.#bytes.length;
  }

  /** Adds a line; the first one of a batch may have any length. */
  add(bytes: Uint8Array, start: number, end: number, line: number): void {
    const length = end - start + 1;
    if (this.#used + length > this.#bytes.length) this.#bytes = new Uint8Array(length);
    this.#bytes.set(bytes.subarray(start, end), this.#used);
    this.#bytes[this.#used + length - 1] = LINE_FEED;
    this.#used += length;
    this.totalBytes += length;
    this.#lines.push(line);
  }

  /** The lines that were added; none where there are none. */
  take(isUnfinished: boolean): [LineBatch] | undefined {
    if (this.#lines.length === 0) return undefined;
    const bytes = this.#bytes.subarray(0, this.#used - 1);
    const batch = { share: this.#index, bytes, lines: new Float64Array(this.#lines), isUnfinished };
    this.#bytes = new Uint8Array(this.#spare.pop() ?? new ArrayBuffer(BATCH_BYTES));
    this.#used = 0;
    this.#lines = [];
    return [batch];
  }
}
