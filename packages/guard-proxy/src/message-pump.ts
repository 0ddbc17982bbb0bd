import type { Readable, Writable } from "node:stream";
import { LineBuffer, splitLines } from "@agentprint/canonical-json/lines";
import type { Outgoing } from "@agentprint/guard";
import { isLogLine } from "@agentprint/mcp";
import type { Gate } from "./in-order.ts";
import { MAX_UNREAD_BYTES } from "./limits.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The bytes of a line, without and with the line break. */
interface Line {
  readonly text: Uint8Array;
  readonly whole: Uint8Array;
}

const NOW: Promise<void> = Promise.resolve();

/** The notice about a server that is stopped because it does not read. */
export const NOT_READ = "a server does not read its messages, so it is stopped";

interface SinkOptions {
  readonly write?: (chunk: Uint8Array) => boolean;
  /**
   * Called once, when more than `MAX_UNREAD_BYTES` wait to be read. From then on, nothing is written. Without this
   * function there is no limit.
   */
  readonly onUnread?: () => void;
}

/**
 * A stream to which messages are written, each with a line break after it. Messages sent in one turn are written
 * together.
 */
export class MessageSink implements Gate {
  readonly #stream: Writable;
  readonly #write: (chunk: Uint8Array) => boolean;
  readonly #onUnread: (() => void) | undefined;
  #isUnread = false;
  readonly #flush = (): void => this.#writePieces();
  /** The chunks to write at the end of this turn. */
  #pieces: Uint8Array[] = [];
  #isFull = false;
  #waiting: (() => void)[] = [];

  constructor(stream: Writable, { write = (chunk) => stream.write(chunk), onUnread }: SinkOptions = {}) {
    this.#stream = stream;
    this.#write = write;
    this.#onUnread = onUnread;
    stream.on("drain", () => this.#empty());
    // If the reader is gone, writes are lost, and no caller is kept waiting.
    for (const end of ["close", "error"]) stream.on(end, () => this.#empty());
  }

  /** @param line The line that was read, without and with its line break, so that a forwarded line is not copied */
  send(messages: readonly Outgoing[], line?: Line): void {
    for (const { message } of messages) this.#add(message === line?.text ? line.whole : withBreak(message));
  }

  get isFull(): boolean {
    return this.#isFull && !this.#stream.destroyed;
  }

  /** Calls a function when all sent messages have been written and there is room again. */
  whenEmpty(call: () => void): void {
    this.#writePieces();
    if (this.isFull) this.#waiting.push(call);
    else call();
  }

  #add(bytes: Uint8Array): void {
    const pieces = this.#pieces;
    const last = pieces.at(-1);
    if (last === undefined) void NOW.then(this.#flush);
    // Lines of one chunk that are all forwarded are joined into one piece again.
    else if (last.buffer === bytes.buffer && last.byteOffset + last.length === bytes.byteOffset) {
      pieces[pieces.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + bytes.length);
      return;
    }
    pieces.push(bytes);
  }

  #writePieces(): void {
    const pieces = this.#pieces;
    if (pieces.length === 0) return;
    this.#pieces = [];
    if (this.#isUnread || this.#stream.destroyed || this.#stream.writableEnded) return;
    if (pieces.length > 1) this.#stream.cork();
    for (const piece of pieces) if (!this.#write(piece)) this.#isFull = true;
    if (pieces.length > 1) this.#stream.uncork();
    if (this.#onUnread === undefined || this.#stream.writableLength <= MAX_UNREAD_BYTES) return;
    this.#isUnread = true;
    this.#onUnread();
  }

  #empty(): void {
    this.#isFull = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const call of waiting) call();
  }
}

function withBreak(message: Outgoing["message"]): Uint8Array {
  if (typeof message === "string") return Buffer.from(`${message}\n`);
  if (message instanceof Uint8Array) return Buffer.concat([message, Buffer.of(LINE_FEED)]);
  return Buffer.from(`${JSON.stringify(message)}\n`);
}

/** The handler of a line. */
export type OnLine = (line: Line) => void;

/** Returns a handler of a server's lines that ignores text that a program logs. */
export function withoutLog(onLine: OnLine): OnLine {
  return (line) => {
    if (!isLogLine(line.text)) onLine(line);
  };
}

/**
 * Reads the lines of a stream, and stops reading while one of the gates is full.
 *
 * @param maxBytes The longest line; after a longer one, reading stops, because the start of the next message is unknown
 * @returns when the stream has ended: `false` if a line was too long
 */
export function pumpLines(
  stream: Readable,
  gates: readonly Gate[],
  maxBytes: number,
  onLine: OnLine,
): Promise<boolean> {
  const lines = new LineBuffer();
  const take = (text: Uint8Array, whole: Uint8Array): void => {
    if (text.length > 1 || (text.length === 1 && text[0] !== CARRIAGE_RETURN)) onLine({ text, whole });
  };
  return new Promise((resolve) => {
    const end = (isWhole: boolean): void => {
      const last = isWhole ? lines.end() : undefined;
      if (last) take(last, Buffer.concat([last, Buffer.of(LINE_FEED)]));
      resolve(isWhole);
    };
    const wait = (): void => {
      const full = gates.find(({ isFull }) => isFull);
      if (full === undefined) return;
      stream.pause();
      full.whenEmpty(() => stream.resume());
    };
    stream.on("data", (chunk: Uint8Array) => {
      const block = lines.push(chunk);
      if (block !== undefined) {
        // The block ends before a line feed, which follows it in memory if the block is a view of the chunk.
        const isView = block.buffer === chunk.buffer;
        const memory = isView ? chunk.subarray(0, block.length + 1) : Buffer.concat([block, Buffer.of(LINE_FEED)]);
        let start = 0;
        for (const { length } of splitLines(block)) {
          take(memory.subarray(start, start + length), memory.subarray(start, start + length + 1));
          start += length + 1;
        }
      }
      if (lines.pendingBytes > maxBytes) {
        stream.destroy();
        end(false);
        return;
      }
      // The output that this turn's lines caused is written first.
      if (gates.length > 0) void NOW.then(wait);
    });
    stream.once("end", () => end(true));
    stream.once("error", () => end(true));
    stream.once("close", () => resolve(true));
  });
}
