import { PassThrough, Writable } from "node:stream";
import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { headerMismatch } from "../src/http/check-headers.ts";
import { spliceJson } from "../src/http/json-splice.ts";
import { MessageSink, pumpLines } from "../src/message-pump.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);

test("a value is replaced in a JSON text, and no other byte", () => {
  const params = fc.record({ _meta: fc.record({ progressToken: fc.jsonValue() }), other: fc.jsonValue() });
  const message = fc.record({ before: fc.jsonValue(), id: fc.jsonValue(), params, after: fc.jsonValue() });
  const space = fc.constantFrom<string | number>("", 1, "\t", "\r\n ");
  fc.assert(
    fc.property(message, space, fc.jsonValue(), (value, indent, added) => {
      const text = JSON.stringify(value, null, indent);
      const edits: [string[], string][] = [
        [["id"], JSON.stringify(added)],
        [["params", "_meta", "progressToken"], JSON.stringify("token")],
        [["params", "missing", "x"], "1"],
      ];
      const edited = Buffer.from(spliceJson(bytes(text), edits)).toString();
      const { id: _id, ...rest } = JSON.parse(edited);
      expect(JSON.parse(edited).id).toEqual(JSON.parse(JSON.stringify(added)));
      expect(rest).toEqual(
        JSON.parse(
          JSON.stringify({ ...value, id: undefined, params: { ...value.params, _meta: { progressToken: "token" } } }),
        ),
      );
      const back = spliceJson(bytes(edited), [
        [["id"], JSON.stringify(value.id, null, indent).replaceAll("\n", "\n")],
        [["params", "_meta", "progressToken"], JSON.stringify(value.params._meta.progressToken)],
      ]);
      expect(JSON.parse(Buffer.from(back).toString())).toEqual(JSON.parse(text));
    }),
  );
});

test("numbers that a double changes, escapes and white space stay", () => {
  const text = '{ "a":"}\\"id\\":1", "id" : 12345678901234567890 ,"b":{"id":2.50}}';
  expect(Buffer.from(spliceJson(bytes(text), [[["id"], '"x"']])).toString()).toBe(
    '{ "a":"}\\"id\\":1", "id" : "x" ,"b":{"id":2.50}}',
  );
  expect(Buffer.from(spliceJson(bytes(text), [[["b", "id"], "null"]])).toString()).toBe(
    '{ "a":"}\\"id\\":1", "id" : 12345678901234567890 ,"b":{"id":null}}',
  );
});

describe("headers and body", () => {
  const tool = {
    definition: {
      name: "é",
      inputSchema: {
        properties: {
          region: { type: "string", "x-mcp-header": "Region" },
          n: { type: "integer", "x-mcp-header": "N" },
        },
      },
    },
  };
  const other = {
    definition: { name: "o", inputSchema: { properties: { shard: { type: "string", "x-mcp-header": "Shard" } } } },
  };
  const call = (args: JsonValue) => ({
    id: 1,
    method: "tools/call",
    params: { name: "é", arguments: args, _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
  });
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "=?base64?w6k=?=" };

  test.each([
    [{}, {}, undefined],
    [{ region: "us" }, { "mcp-param-region": "us" }, undefined],
    [{ n: 42 }, { "mcp-param-n": "42.0" }, undefined],
    [{ region: null }, {}, undefined],
    [{ region: "us" }, {}, "Mcp-Param-Region is missing"],
    [{ region: "us" }, { "mcp-param-region": "eu" }, "Mcp-Param-Region does not match the body"],
    [{ n: 42 }, { "mcp-param-n": "" }, "Mcp-Param-N does not match the body"],
    [{}, { "mcp-param-region": "us" }, "Mcp-Param-Region has no value in the body"],
    [{}, { "mcp-param-other": "us" }, undefined],
    [{}, { "mcp-name": "e" }, "Mcp-Name does not match the body"],
    [{}, { "mcp-name": "=?base64?/w==?=" }, "Mcp-Name has characters that no header can have"],
    [{}, { "mcp-name": ["a", "b"] }, "Mcp-Name occurs several times"],
    [{}, { "mcp-param-shard": "us" }, "mcp-param-shard has no value in the body"],
  ])("%j with %j", (args, more, reason) => {
    expect(headerMismatch({ ...headers, ...more }, call(args), [tool, other])).toBe(reason);
  });

  test.each<[method: string, params: JsonObject, headers: Record<string, string>, reason: string | undefined]>([
    ["tools/list", {}, {}, undefined],
    ["tools/list", {}, { "mcp-name": "x" }, "Mcp-Name has no value in the body"],
    ["tools/list", {}, { "mcp-param-region": "us" }, "mcp-param-region has no value in the body"],
    ["tools/list", {}, { "mcp-param-unknown": "us" }, undefined],
    ["tools/list", {}, { "mcp-method": "tools/call" }, "Mcp-Method does not match the body"],
    ["tasks/get", { taskId: "t" }, { "mcp-name": "t" }, undefined],
    ["tasks/get", { taskId: "t" }, {}, undefined],
    ["tasks/cancel", { taskId: "t" }, { "mcp-name": "u" }, "Mcp-Name does not match the body"],
    ["resources/subscribe", { uri: "a:b" }, { "mcp-name": "a:b" }, undefined],
    ["resources/subscribe", { uri: "a:b" }, { "mcp-name": "a:c" }, "Mcp-Name does not match the body"],
    ["toString", {}, {}, undefined],
  ])("%s %j with %j", (method, params, more, reason) => {
    const { _meta } = call({}).params;
    const given = { ...headers, "mcp-method": method, ...more };
    const { "mcp-name": name, ...rest } = given;
    const own = "mcp-name" in more ? { ...rest, "mcp-name": name } : rest;
    expect(headerMismatch(own, { id: 1, method, params: { ...params, _meta } }, [tool, other])).toBe(reason);
  });
});

test("a full sink pauses reading, and each message is one write", async () => {
  const written: string[] = [];
  let release = (): void => undefined;
  const slow = new Writable({
    highWaterMark: 8,
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString());
      release = done;
    },
  });
  const sink = new MessageSink(slow);
  const source = new PassThrough();
  const read: string[] = [];
  const ended = pumpLines(source, [sink], 1000, (line) => {
    const text = Buffer.from(line.text).toString();
    read.push(text);
    sink.send([{ message: line.text, value: {}, origin: "forwarded" }], line);
  });
  source.write('{"first":1}\n\r\n');
  await new Promise(setImmediate);
  source.write('{"second":2}\r\n{"th');
  await new Promise(setImmediate);
  expect(read).toEqual(['{"first":1}']);
  release();
  await new Promise(setImmediate);
  expect(read).toEqual(['{"first":1}', '{"second":2}\r']);
  source.end('ird":3}');
  for (let turn = 0; turn < 10; turn++) {
    release();
    await new Promise(setImmediate);
  }
  expect(await ended).toBe(true);
  expect(written).toEqual(['{"first":1}\n', '{"second":2}\r\n', '{"third":3}\n']);
});

test("a sink without a reader buffers messages up to its limit, and requests its end once", async () => {
  let called = 0;
  const taken: number[] = [];
  // This stream accepts only the first message.
  const unread = new Writable({ write: (chunk: Buffer) => void taken.push(chunk.length) });
  const sink = new MessageSink(unread, { onUnread: () => called++ });
  const message = Buffer.alloc(16 * 1024 * 1024, "x");
  for (let sent = 0; sent < 40; sent++) {
    sink.send([{ message, value: {}, origin: "guard" }]);
    await new Promise(setImmediate);
  }
  expect(called).toBe(1);
  expect(unread.writableLength).toBeGreaterThan(128 * 1024 * 1024);
  expect(unread.writableLength).toBeLessThan(160 * 1024 * 1024);
  expect(taken).toHaveLength(1);
});

test("a line that never ends is not buffered", async () => {
  const source = new PassThrough();
  const ended = pumpLines(source, [], 100, () => undefined);
  source.write("x".repeat(200));
  expect(await ended).toBe(false);
  expect(source.destroyed).toBe(true);
});
