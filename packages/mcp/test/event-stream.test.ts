import { runs } from "@agentprint/testing/property-runs";
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventStreamError, EventStreamReader, type StreamEvent } from "../src/event-stream.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const shown = ({ data, ...event }: StreamEvent) => ({
  ...event,
  ...(data && { data: new TextDecoder().decode(data) }),
});

function eventsOf(reader: EventStreamReader, pieces: readonly Uint8Array[]) {
  return pieces.flatMap((piece) => [...reader.push(piece)].map(shown));
}

/** Returns the pieces of a text that is split at some of its bytes. */
function cutAt(stream: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length];
  return places.slice(1).map((end, index) => stream.slice(places[index], end));
}

/** Returns the events of a stream, and the delays that it names, as a widely used parser reads them. */
function foundByPeer(text: string) {
  const events: object[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => events.push({ type: event || "message", data, ...(id !== undefined && { id }) }),
  });
  parser.feed(text);
  return events;
}

const word = fc.constantFrom("", " ", "a", "é😀", "7", " 7", "message", "notice", "x:y");
const field = fc.constantFrom("data", "id", "event", "retry", "other", "", "Data");
const line = fc.oneof(
  fc.tuple(field, word).map(([name, value]) => `${name}:${value}`),
  field.filter((name) => name !== ""),
  fc.constant(""),
);
const stream = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 30 })
  .map((lines) => lines.map((parts) => parts.join("")).join(""));

describe("a stream", () => {
  test("has the events that another parser finds, however it is cut", () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(1000), { maxLength: 20 }), (text, cuts) => {
        // A line feed after it completes the line break that a carriage return may have begun.
        const whole = `${text}\n\n`;
        const found = eventsOf(new EventStreamReader(), cutAt(bytes(whole), cuts));
        const comparable = found.filter(({ data }) => data !== undefined).map(({ retry: _retry, ...event }) => event);
        const expected = foundByPeer(whole).map(({ id, ...event }: { id?: string }) => {
          return id !== undefined && /^[\x20-\x7e]*$/.test(id) ? { ...event, id } : event;
        });
        expect(comparable).toEqual(expected);
      }),
      { numRuns: runs(1000) },
    );
  });

  test("says when and from where a client asks for it again, with data and without", () => {
    const text = "retry: 100\n\nid: 7\nretry: soon\n\nid: é\ndata\n\nid\ndata: 1\n\nid: 8\ndata: not ended\n";
    expect(eventsOf(new EventStreamReader(), [bytes(text)])).toEqual([
      { type: "message", retry: "100" },
      { type: "message", id: "7" },
      { type: "message", data: "" },
      { type: "message", id: "", data: "1" },
    ]);
  });

  test("may begin with a byte order mark", () => {
    const expected = [{ type: "message", data: "1" }];
    for (const isStrict of [true, false]) {
      const pieces = cutAt(bytes("\ufeffdata: 1\n\n"), [1, 2]);
      expect(eventsOf(new EventStreamReader({ isStrict }), pieces)).toEqual(expected);
    }
  });

  test("with lines of data without a byte takes little more memory than its bytes", () => {
    const [event] = eventsOf(new EventStreamReader(), [bytes(`${"data:\n".repeat(100_001)}\n`)]);
    expect(event?.data).toBe("\n".repeat(100_000));
  });

  test("is limited by event", () => {
    const reader = new EventStreamReader({ maxBytes: 100 });
    const pieces = Array.from({ length: 20 }, () => bytes(`data: ${"x".repeat(40)}\n\n`));
    expect(eventsOf(reader, pieces)).toHaveLength(20);
  });

  test.each([
    ["an event that never ends", `data: ${"x".repeat(60)}\n`.repeat(5)],
    ["a line that never ends", "x".repeat(300)],
  ])("with %s is refused", (_, text) => {
    const pieces = cutAt(bytes(text), [50, 100, 150, 200, 250]);
    expect(() => eventsOf(new EventStreamReader({ maxBytes: 100 }), pieces)).toThrow(EventStreamError);
  });
});

describe("a stream that is read strictly", () => {
  const read = (...pieces: string[]) => eventsOf(new EventStreamReader({ isStrict: true }), pieces.map(bytes));

  test("has the same events however it is cut", () => {
    const text = ':hello\r\nid: 7\ndata: {"a":\ndata:1}\n\nevent: message\ndata: é\n\ndata: not ended\n';
    const expected = [
      { type: "message", id: "7", data: '{"a":\n1}' },
      { type: "message", data: "é" },
    ];
    expect(read(text)).toEqual(expected);
    expect(
      eventsOf(
        new EventStreamReader({ isStrict: true }),
        cutAt(
          bytes(text),
          [...text].map((_, at) => at),
        ),
      ),
    ).toEqual(expected);
  });

  test.each([
    ["a carriage return without a line feed", "data: 1\rdata: 2\n\n"],
    ["an event that is not a message", "event: other\ndata: 1\n\n"],
    ["an event that names no type", "event:\ndata: 1\n\n"],
    ["an event of too many lines", `${"data:\n".repeat(100_001)}\n`],
    ["an event of too many comments", `${":\n".repeat(100_001)}\n`],
  ])("is refused at %s, with a code", (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ name: "EventStreamError", code: "invalid-stream" }));
  });

  test("yields the events before the place at which it is refused", () => {
    const events = new EventStreamReader({ isStrict: true }).push(bytes("data: 1\n\nevent: other\n"));
    expect(events.next().value).toMatchObject({ type: "message" });
    expect(() => events.next()).toThrow(EventStreamError);
  });

  test("counts the lines of each event by itself", () => {
    for (const text of [`${":\n".repeat(60_000)}data: 1\n\n`.repeat(3)]) expect(read(text)).toHaveLength(3);
  });
});
