import { ReadBuffer } from "@modelcontextprotocol/sdk/shared/stdio.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { guardOf, listTools, readFile } from "./support/world.ts";

const id = fc.constantFrom("1", "1.0", '"1"', '""', "0", "-0", "1e0", "9007199254740993", "null");
const name = fc.constantFrom(
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
  "Method",
  "ID",
  "re\\u017Fult",
  "extra",
  "Params",
);
const scalar = fc.oneof(
  fc.constantFrom(
    '"2.0"',
    '"ping"',
    '"tools/call"',
    "{}",
    "[]",
    '{"name":"read_file","arguments":{"path":"a"}}',
    '{"content":[]}',
    '{"code":1,"message":""}',
  ),
  fc.constantFrom('{"content":[9007199254740993]}', '{"a":1,"a":2}', '{"Name":1}', '"\\ud800"', "1e400", "true"),
  id,
);
const member = fc.tuple(name, scalar).map(([key, value]) => `"${key}":${value}`);
const usual = fc.constantFrom(
  ['"jsonrpc":"2.0"', '"id":1', '"method":"ping"'],
  ['"jsonrpc":"2.0"', '"id":1', '"result":{"content":[]}'],
  ['"jsonrpc":"2.0"', '"method":"notifications/x"'],
  ['"jsonrpc":"2.0"', '"id":1', '"error":{"code":1,"message":"no"}'],
);
const space = fc.constantFrom("", " ", "\n", "\r", "\t", "\ufeff", ",");

/** Messages, almost messages, and several of them on a line. */
const line = fc
  .tuple(usual, fc.array(member, { maxLength: 1 }), fc.array(fc.nat(9), { maxLength: 1 }), space, space, fc.boolean())
  .map(([members, others, removed, before, behind, isTwice]) => {
    const kept = members.filter((_, index) => !removed.includes(index));
    const text = `${before}{${[...kept, ...others].join(`,${behind === "," ? "" : behind}`)}}${behind}`;
    return isTwice ? text + text : text;
  });

/** What the official SDK reads from one line; it refuses lines, too. */
function readBySdk(text: string): unknown[] {
  const buffer = new ReadBuffer();
  buffer.append(Buffer.from(`${text}\n`));
  const messages: unknown[] = [];
  for (;;) {
    try {
      const message = buffer.readMessage();
      if (message === null) return messages;
      messages.push(message);
    } catch {
      messages.push("refused");
    }
  }
}

test("the official SDK reads what the guard saw, or refuses it, or the guard does not forward it", () => {
  const seen = { forwarded: 0, refused: 0 };
  fc.assert(
    fc.property(line, fc.boolean(), (text, isServer) => {
      const { guard } = guardOf({ tools: [readFile] });
      listTools(guard, [readFile]);
      guard.fromClient('{"jsonrpc":"2.0","id":1,"method":"ping"}');
      guard.fromServer('{"jsonrpc":"2.0","id":1,"method":"ping"}');
      const bytes = new TextEncoder().encode(text);
      const step = isServer ? guard.fromServer(bytes) : guard.fromClient(bytes);
      const written = (isServer ? step.toClient : step.toServer).filter(({ origin }) => origin === "forwarded");
      seen[written.length > 0 ? "forwarded" : "refused"]++;
      for (const { message, value } of written) {
        const read = readBySdk(message instanceof Uint8Array ? new TextDecoder().decode(message) : String(message));
        expect(read).toHaveLength(1);
        if (read[0] !== "refused") expect(read).toEqual([value]);
      }
    }),
    { numRuns: 1000 },
  );
  expect(Math.min(seen.forwarded, seen.refused)).toBeGreaterThan(20);
});
