import fc from "fast-check";
import { guardOf, listTools, readFile } from "./world.ts";

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
  fc.constantFrom(
    '{"content":["\\u0041\\/\\ud83d\\ude00"]}',
    '{"content":["\\ud800"]}',
    '{"content":[0.1,1.0,-0,1E2]}',
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
const space = fc.oneof(
  { weight: 4, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constantFrom(" ", "\n", "\r", "\t", "\ufeff", ",") },
);

/** Generates messages, texts that are almost messages, and several of them on a line. */
export const line: fc.Arbitrary<string> = fc
  .tuple(usual, fc.array(member, { maxLength: 1 }), fc.array(fc.nat(9), { maxLength: 1 }), space, space, fc.boolean())
  .map(([members, others, removed, before, behind, isTwice]) => {
    const kept = members.filter((_, index) => !removed.includes(index));
    const text = `${before}{${[...kept, ...others].join(`,${behind === "," ? "" : behind}`)}}${behind}`;
    return isTwice ? text + text : text;
  });

/** Returns the part of a line that a guard lets through: the bytes that it writes, and the value that it saw. */
export function letThrough(text: string, isServer: boolean): { bytes: Uint8Array; value: unknown }[] {
  const { guard } = guardOf({ tools: [readFile] });
  listTools(guard, [readFile]);
  guard.fromClient('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  guard.fromServer('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  const bytes = new TextEncoder().encode(text);
  const step = isServer ? guard.fromServer(bytes) : guard.fromClient(bytes);
  return (isServer ? step.toClient : step.toServer)
    .filter(({ origin }) => origin === "forwarded")
    .map(({ message, value }) => ({
      bytes: message instanceof Uint8Array ? message : Buffer.from(String(message)),
      value,
    }));
}
