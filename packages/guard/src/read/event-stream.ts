import { GuardError } from "../errors.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = 0xef;
const EMPTY = new Uint8Array();

/** The most lines of one event. A line takes memory even without bytes. */
const MAX_LINES = 100_000;

/** An event of a stream. */
export interface StreamEvent {
  /** The bytes of a message: its lines, joined by line feeds. */
  readonly data: Uint8Array;
  /** The id for resuming the stream behind this event. */
  readonly id?: string;
  /** Milliseconds after which a client may reconnect. */
  readonly retryMs?: number;
}

/** The options of {@link EventStreamReader}. */
export interface EventStreamOptions {
  /** Bytes of one event. Default 16 MiB. */
  readonly maxBytes?: number;
  /**
   * Names of events that are no messages and are left out, such as `endpoint` of the transport of 2024-11-05. Default
   * none.
   */
  readonly otherEvents?: readonly string[];
}

/**
 * Reads an event stream whose events all readers find alike, however its pieces are cut.
 *
 * @example
 * ```ts
 * import { EventStreamReader } from "@agentprint/guard";
 *
 * const reader = new EventStreamReader();
 * const events = reader.push(new TextEncoder().encode('id: 7\ndata: {"jsonrpc":"2.0"}\n\n'));
 * console.log(events[0]?.id, new TextDecoder().decode(events[0]?.data)); // 7 {"jsonrpc":"2.0"}
 * ```
 */
export class EventStreamReader {
  readonly #maxBytes: number;
  readonly #otherEvents: ReadonlySet<string>;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isStart = true;
  #data: Uint8Array[] = [];
  #lines = 0;
  #id: string | undefined;
  #retryMs: number | undefined;
  #name = "message";

  constructor({ maxBytes = 16_777_216, otherEvents = [] }: EventStreamOptions = {}) {
    this.#maxBytes = maxBytes;
    this.#otherEvents = new Set(otherEvents);
  }

  /**
   * Takes the next piece, and returns the events that end in it.
   *
   * @throws {@link GuardError} `invalid-stream` where readers would find other events: at a carriage return without a
   * line feed, a byte order mark, a NUL, invalid UTF-8, the name of another event, or an event beyond the limit.
   * Nothing more can be read then.
   */
  push(piece: Uint8Array): StreamEvent[] {
    if (this.#isStart && piece.length > 0) {
      if (piece[0] === BYTE_ORDER_MARK)
        throw new GuardError("invalid-stream", "a stream begins without a byte order mark");
      this.#isStart = false;
    }
    const events: StreamEvent[] = [];
    let start = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, start)) {
      const event = this.#line(this.#join(piece.subarray(start, end)));
      if (event) events.push(event);
      start = end + 1;
    }
    this.#keep(piece.subarray(start));
    return events;
  }

  #join(rest: Uint8Array): Uint8Array {
    this.#keep(rest);
    const [first = EMPTY] = this.#pieces;
    const line = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes -= line.length;
    return line;
  }

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length;
    this.#requireRoom();
    if (piece.length > 0) this.#pieces.push(new Uint8Array(piece));
  }

  #requireRoom(): void {
    if (this.#bytes <= this.#maxBytes) return;
    throw new GuardError("invalid-stream", `an event has at most ${this.#maxBytes} bytes`);
  }

  #line(raw: Uint8Array): StreamEvent | undefined {
    const line = raw[raw.length - 1] === CARRIAGE_RETURN ? raw.subarray(0, -1) : raw;
    if (line.includes(CARRIAGE_RETURN))
      throw new GuardError("invalid-stream", "a carriage return stands before a line feed only");
    if (line.length === 0) return this.#end();
    if (++this.#lines > MAX_LINES) throw new GuardError("invalid-stream", `an event has at most ${MAX_LINES} lines`);
    const colon = line.indexOf(0x3a);
    const [name, value] = colon < 0 ? [line, EMPTY] : [line.subarray(0, colon), line.subarray(colon + 1)];
    const field = this.#text(name);
    const content = value[0] === 0x20 ? value.subarray(1) : value;
    if (field === "data") {
      this.#bytes += content.length;
      this.#requireRoom();
      this.#text(content);
      this.#data.push(content);
    } else if (field !== "") this.#field(field, this.#text(content));
    return undefined;
  }

  #field(field: string, value: string): void {
    if (field === "event") this.#name = value;
    else if (field === "id") this.#id = value;
    else if (field === "retry") this.#retryMs = /^\d{1,9}$/.test(value) ? Number(value) : undefined;
    else if (KNOWN.has(field.toLowerCase().trim()))
      throw new GuardError("invalid-stream", "a field is written almost like a known one");
  }

  #text(bytes: Uint8Array): string {
    if (bytes.includes(0)) throw new GuardError("invalid-stream", "a stream has no NUL");
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw new GuardError("invalid-stream", "a stream is UTF-8, and no character is split");
    }
  }

  #end(): StreamEvent | undefined {
    const [data, name] = [this.#data, this.#name];
    const [id, retryMs] = [this.#id, this.#retryMs];
    this.#data = [];
    this.#lines = 0;
    this.#bytes = 0;
    this.#name = "message";
    [this.#id, this.#retryMs] = [undefined, undefined];
    if (name !== "message" && name !== "") {
      if (this.#otherEvents.has(name)) return undefined;
      throw new GuardError("invalid-stream", "only messages are events of this stream");
    }
    if (data.length === 0 && id === undefined && retryMs === undefined) return undefined;
    return { data: joined(data), ...(id !== undefined && { id }), ...(retryMs !== undefined && { retryMs }) };
  }
}

const KNOWN = new Set(["data", "event", "id", "retry"]);

function joined(lines: readonly Uint8Array[]): Uint8Array {
  const [first = EMPTY] = lines;
  if (lines.length <= 1) return first;
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Uint8Array.of(LINE_FEED), line])));
}
