import { LineBuffer, splitLines } from "@agentprint/canonical-json/lines";
import { checkArgument } from "./check-argument.ts";
import { JOINED_LINES, MAX_EVENT_LINES, MAX_MESSAGE_BYTES } from "./limits.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Matches an event id that a client can send back in a header; any other id is ignored. */
const EVENT_ID = /^[\x20-\x7e]*$/;

/** An event of a stream. */
export interface StreamEvent {
  /** The event's type; `message` if it names none. */
  readonly type: string;
  /**
   * The data's lines, joined by line feeds, as bytes. Absent if there is no line of data, so that no client sees the
   * event.
   */
  readonly data?: Uint8Array;
  /** The id from which a client resumes the stream after this event. */
  readonly id?: string;
  /** The milliseconds after which a client that lost the stream requests it again, as digits. */
  readonly retry?: string;
}

/** The options of {@link EventStreamReader}. */
export interface EventStreamOptions {
  /**
   * The maximum number of bytes of one event; about twice as many may be read before the limit takes effect. Default 64
   * MiB.
   */
  readonly maxBytes?: number;
  /**
   * Refuses line breaks that only some readers recognize, and events other than messages, because a client could read
   * content there that this reader does not return. Default `false`.
   */
  readonly isStrict?: boolean;
}

/** The error for a refused stream, of which nothing more can be read. */
export class EventStreamError extends Error {
  override readonly name = "EventStreamError";
  readonly code = "invalid-stream";
}

/**
 * Reads a stream of server-sent events by HTML's rules, however the stream is split into pieces. An event without an
 * empty line after it is discarded.
 *
 * @example
 * ```ts
 * import { EventStreamReader } from "@agentprint/mcp/event-stream";
 *
 * const reader = new EventStreamReader();
 * const [event] = reader.push(new TextEncoder().encode('id: 7\ndata: {"jsonrpc":"2.0"}\n\n'));
 * console.log(event?.id, new TextDecoder().decode(event?.data)); // 7 {"jsonrpc":"2.0"}
 * ```
 */
export class EventStreamReader {
  readonly #maxBytes: number;
  readonly #isStrict: boolean;
  readonly #lines = new LineBuffer();
  #isStart = true;
  #endsInReturn = false;
  /** The bytes and lines read since the last event. */
  #size = 0;
  #count = 0;
  /** The latest lines of data, and the blocks of {@link JOINED_LINES} lines before them. */
  #data: Uint8Array[] = [];
  #blocks: Uint8Array[] = [];
  #type = "message";
  #id: string | undefined;
  #retry: string | undefined;

  constructor(options: EventStreamOptions = {}) {
    checkArgument("options", options, "object");
    const { maxBytes = MAX_MESSAGE_BYTES, isStrict = false } = options;
    this.#maxBytes = maxBytes;
    this.#isStrict = isStrict;
  }

  /**
   * Reads the next piece, and yields the events that end in it.
   *
   * @throws {@link EventStreamError} when an event is too long, and if `isStrict` refuses the stream.
   */
  *push(piece: Uint8Array): Generator<StreamEvent, void> {
    const block = this.#lines.push(this.#isStrict ? piece : this.#withLineFeeds(piece));
    this.#size += piece.length;
    if (this.#lines.pendingBytes > this.#maxBytes || this.#size > this.#maxBytes + piece.length)
      throw new EventStreamError("an event is too long");
    for (const line of block === undefined ? [] : splitLines(block)) {
      const text = this.#textOf(line);
      if (text.length > 0) this.#field(text);
      else {
        const event = this.#end();
        if (event) yield event;
      }
    }
  }

  /**
   * Returns the piece with every line break replaced by a line feed; a carriage return is a line break, alone or before
   * a line feed.
   */
  #withLineFeeds(piece: Uint8Array): Uint8Array {
    const isSplit = this.#endsInReturn && piece[0] === LINE_FEED;
    const rest = isSplit ? piece.subarray(1) : piece;
    if (piece.length > 0) this.#endsInReturn = piece.at(-1) === CARRIAGE_RETURN;
    if (!rest.includes(CARRIAGE_RETURN)) return rest;
    const text = Buffer.from(rest).toString("latin1");
    return Buffer.from(text.replaceAll(/\r\n?/g, "\n"), "latin1");
  }

  #textOf(line: Uint8Array): Uint8Array {
    const isMarked = this.#isStart && BYTE_ORDER_MARK.every((byte, index) => line[index] === byte);
    this.#isStart = false;
    const text = line.subarray(isMarked ? BYTE_ORDER_MARK.length : 0, line.at(-1) === CARRIAGE_RETURN ? -1 : undefined);
    if (text.includes(CARRIAGE_RETURN)) throw new EventStreamError("a carriage return without a line feed");
    return text;
  }

  #field(text: Uint8Array): void {
    if (this.#isStrict && ++this.#count > MAX_EVENT_LINES) throw new EventStreamError("an event has too many lines");
    const colon = text.indexOf(COLON);
    const field = latin1(colon === -1 ? text : text.subarray(0, colon));
    const start = colon === -1 ? text.length : text[colon + 1] === SPACE ? colon + 2 : colon + 1;
    const value = text.subarray(start);
    if (field === "data") this.#addData(value);
    else if (field === "id") this.#id = EVENT_ID.exec(latin1(value))?.[0];
    else if (field === "retry") this.#retry = /^\d+$/.exec(latin1(value))?.[0];
    else if (field === "event") {
      this.#type = Buffer.from(value).toString() || "message";
      if (this.#isStrict && latin1(value) !== "message") throw new EventStreamError("an event that is not a message");
    }
  }

  #addData(line: Uint8Array): void {
    this.#data.push(line);
    if (this.#data.length < JOINED_LINES) return;
    this.#blocks.push(joined(this.#data));
    this.#data = [];
  }

  #end(): StreamEvent | undefined {
    const lines = [...this.#blocks, ...this.#data];
    const [type, id, retry] = [this.#type, this.#id, this.#retry];
    [this.#blocks, this.#data, this.#type, this.#id, this.#retry] = [[], [], "message", undefined, undefined];
    [this.#size, this.#count] = [0, 0];
    if (lines.length === 0 && id === undefined && retry === undefined) return undefined;
    return {
      type,
      ...(lines.length > 0 && { data: joined(lines) }),
      ...(id !== undefined && { id }),
      ...(retry !== undefined && { retry }),
    };
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

function joined(lines: readonly Uint8Array[]): Uint8Array {
  const [only] = lines;
  if (lines.length === 1 && only) return only;
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from("\n"), line])));
}
