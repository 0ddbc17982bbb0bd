import { LineBuffer, splitLines } from "@agentprint/canonical-json/lines";

const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;

/** Matches an event id that a client can send back in a header; any other id is ignored. */
const EVENT_ID = /^[\x20-\x7e]+$/;
/** The most lines of one event. Each line takes more memory than its bytes, and an empty line has no bytes. */
const MAX_LINES = 100_000;

/** An event of a stream, with the bytes of its data. */
export interface StreamEvent {
  readonly data: Uint8Array;
  readonly id?: string;
  /** Milliseconds after which a client that lost the stream asks for it again, in digits. */
  readonly retry?: string;
}

/** The error for a stream that readers of event streams could parse differently. */
class EventStreamError extends Error {
  override readonly name = "EventStreamError";
}

/**
 * Reads the events of a stream as they arrive. Refuses line breaks that only some readers recognize, and events other
 * than messages, because a client could read content there that the guard did not.
 *
 * @param maxBytes The longest event, in bytes
 * @throws {@link EventStreamError} when the stream is refused
 */
export async function* readEventStream(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<StreamEvent> {
  const lines = new LineBuffer();
  let data: Uint8Array[] = [];
  let id: string | undefined;
  let retry: string | undefined;
  let size = 0;
  let count = 0;
  for await (const chunk of body) {
    const block = lines.push(chunk);
    size += chunk.length;
    if (lines.pendingBytes > maxBytes || size > maxBytes + chunk.length)
      throw new EventStreamError("an event is too long");
    for (const line of block === undefined ? [] : splitLines(block)) {
      const text = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
      if (text.includes(CARRIAGE_RETURN)) throw new EventStreamError("a carriage return without a line feed");
      if (text.length === 0) {
        const more = { ...(id !== undefined && { id }), ...(retry !== undefined && { retry }) };
        if (data.length > 0) yield { data: joined(data), ...more };
        [data, id, retry, size, count] = [[], undefined, undefined, 0, 0];
        continue;
      }
      if (++count > MAX_LINES) throw new EventStreamError("an event has too many lines");
      const colon = text.indexOf(COLON);
      const field = Buffer.from(colon === -1 ? text : text.subarray(0, colon)).toString("latin1");
      const start = colon === -1 ? text.length : text[colon + 1] === SPACE ? colon + 2 : colon + 1;
      const value = text.subarray(start);
      if (field === "data") data.push(value);
      else if (field === "id") id = EVENT_ID.exec(Buffer.from(value).toString("latin1"))?.[0];
      else if (field === "retry") retry = /^\d+$/.exec(Buffer.from(value).toString("latin1"))?.[0];
      else if (field === "event" && Buffer.from(value).toString("latin1") !== "message") {
        throw new EventStreamError("an event that is no message");
      }
    }
  }
  // An event without an empty line at its end is discarded.
}

function joined(lines: readonly Uint8Array[]): Uint8Array {
  const [only] = lines;
  if (lines.length === 1 && only) return only;
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from("\n"), line])));
}
