import fc from "fast-check";
import { expect, test } from "vitest";
import { EventStreamReader, GuardError } from "../src/index.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const texts = (reader: EventStreamReader, ...pieces: Uint8Array[]) =>
  pieces.flatMap((piece) => reader.push(piece).map(({ data }) => new TextDecoder().decode(data)));

test("events are the same however the stream is cut, inside characters, too", () => {
  const stream = bytes(
    ': keep-alive\n\nid: 1\r\nevent: message\r\ndata: {"a":"é😀"}\r\n\r\nretry: 100\ndata:{"b":\ndata: 1}\n\ndata\n\n',
  );
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), stream.length];
      const pieces = places.slice(1).map((end, index) => stream.slice(places[index], end));
      const reader = new EventStreamReader();
      const events = pieces.flatMap((piece) => reader.push(piece));
      expect(events.map(({ data, ...rest }) => ({ ...rest, data: new TextDecoder().decode(data) }))).toEqual([
        { id: "1", data: '{"a":"é😀"}' },
        { retryMs: 100, data: '{"b":\n1}' },
        { data: "" },
      ]);
    }),
  );
});

test.each([
  ["a bare carriage return", 'data: {"a":1}\rdata: 2\n\n'],
  ["another event", "event: notice\ndata: 1\n\n"],
  ["a field that is written almost like a known one", "Data: 1\n\n"],
  ["a byte order mark", "\ufeffdata: 1\n\n"],
  ["a NUL", "id: 1\u00002\n\n"],
  ["an event beyond the limit", `data: ${"x".repeat(100)}\n\n`],
  ["an event that never ends", `data: ${"x".repeat(60)}\n`.repeat(2)],
  ["a line that never ends", "x".repeat(101)],
  ["an event of lines without a byte", "data:\n".repeat(100_001)],
  ["an event of fields that nobody knows", ":\n".repeat(100_001)],
])("%s ends the stream", (_, text) => {
  expect(() => new EventStreamReader({ maxBytes: 100 }).push(bytes(text))).toThrow(GuardError);
});

test("a character that is split over two lines of data ends the stream", () => {
  const [first, second] = [...bytes("é")];
  const split = Uint8Array.of(...bytes('data: "'), first ?? 0, ...bytes("\ndata: "), second ?? 0, ...bytes('"\n\n'));
  expect(() => new EventStreamReader().push(split)).toThrow(GuardError);
});

test("events that a transport knows are left out, and what is no field is not read", () => {
  const reader = new EventStreamReader({ otherEvents: ["endpoint"] });
  expect(texts(reader, bytes("event: endpoint\ndata: /messages\n\nother: 1\nretry: soon\ndata: 1\n\n"))).toEqual(["1"]);
});

test("a limit counts for each event by itself", () => {
  const reader = new EventStreamReader({ maxBytes: 100 });
  for (let i = 0; i < 20; i++) expect(texts(reader, bytes(`data: ${"x".repeat(40)}\n\n`))).toHaveLength(1);
  for (let i = 0; i < 3; i++) expect(texts(reader, bytes(`${":\n".repeat(60_000)}data: 1\n\n`))).toEqual(["1"]);
});
