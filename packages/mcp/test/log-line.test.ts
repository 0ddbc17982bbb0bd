import { isLogLine } from "@agentprint/mcp";
import fc from "fast-check";
import { expect, test } from "vitest";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  "Server starting ...",
  "\u001b[32mINFO\u001b[39m ready",
  "[info] ready",
  "[1, 2]",
  "5",
  '"jsonrpc"',
  "",
  " \t",
  '{"level":"info","msg":"ready"}',
  ' {"level":"info"}',
  '{"level":"info","message":{"jsonrpc":"2.0","id":1}}',
  '{"msg":"{\\"jsonrpc\\":\\"2.0\\"}"}',
  'sent {"jsonrpc":"2.0","id":1,"result":{}}',
])("%j is a log line", (line) => {
  expect(isLogLine(bytes(line))).toBe(true);
});

test.each([
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{"result":{},"jsonrpc":"2.0","id":1}',
  '{"result":{},"jsonrpc":"2.0","id":"a"}\r',
  '{"method":"ping","jsonrpc":"2.0"}',
  '{"id":1,"jsonrpc":"1.0"}',
  '{"id":1,"JsonRPC":"2.0"}',
  '{"id":1,"\\u006asonrpc":"2.0"}',
  '{"id":1,"j\u017fonrpc":"2.0"}',
  '[{"id":1}]',
  '[ \t{"id":1}]',
  "[\u00a0{",
  '{"level":"info"',
  '{"level":"info"}}',
  '{"a":1,"a":2}',
  '{"a":"\\ud800"}',
  "{level: info}",
  "\u00a0{}",
  "\u200b{",
  "\u0000{}",
  '\ufeff{"level":"info"}',
  "\ufeffINFO",
  "INFO \ufeff",
])("%j is none", (line) => {
  expect(isLogLine(bytes(line))).toBe(false);
});

test("no JSON-RPC message is a log line, however it is written", () => {
  const members = fc.dictionary(fc.string(), fc.jsonValue());
  const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\r"), maxLength: 3 });
  fc.assert(
    fc.property(members, members, space, fc.nat(), (before, after, spaces, id) => {
      const text = JSON.stringify({ ...before, jsonrpc: "2.0", id, ...after });
      expect(isLogLine(bytes(spaces + text + spaces))).toBe(false);
    }),
  );
});

test("bytes that are not UTF-8 are not an error", () => {
  expect(isLogLine(Uint8Array.of(0xff, 0x20, 0x41))).toBe(true);
  expect(isLogLine(Uint8Array.of(0x7b, 0xff, 0x7d))).toBe(false);
});
