import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countLines, guardOf, listTools, readFile, request, result, sent } from "./support/world.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const WORLD = { tools: [readFile, countLines] };
const CALL = '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"a":1}}';

function verified() {
  const world = guardOf(WORLD);
  listTools(world.guard, [readFile, countLines]);
  return world;
}

describe("a message of the client is not forwarded", () => {
  test.each([
    ["a duplicate member", '{"jsonrpc":"2.0","id":1,"method":"ping","method":"x/y"}'],
    ["a duplicate member deep inside", '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"a":{"b":1,"\\u0062":2}}}'],
    ["a member in other case", '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"Name":"a"}}'],
    [
      "a member in other case next to the known one",
      '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"name":"a","NAME":"b"}}',
    ],
    ["a member that Go folds", '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"argument\u017f":{}}}'],
    ["a member with the Kelvin sign", '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"progressTo\u212aen":{}}}'],
    [
      "a member as the Python SDK also reads it",
      '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"request_state":"a"}}',
    ],
    [
      "a member of the metadata in other case",
      '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"_meta":{"ProgressToken":1}}}',
    ],
    ["a member that JSON-RPC does not know", '{"jsonrpc":"2.0","id":1,"method":"x/y","Params":{}}'],
    ["half of a surrogate pair", '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"a":"\\ud800"}}'],
    ["a number that a double changes", '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"a":9007199254740993}}'],
    ["an id that a double changes", '{"jsonrpc":"2.0","id":9007199254740993,"method":"x/y"}'],
    ["an id with a point", '{"jsonrpc":"2.0","id":1.0,"method":"x/y"}'],
    ["an id with an exponent", '{"jsonrpc":"2.0","id":1e0,"method":"x/y"}'],
    ["an id with a point at the beginning", '{ "id" : 1.0 ,"jsonrpc":"2.0","method":"x/y","params":{"id":1}}'],
    ["an id with a point in the middle", '{"params":{"id":1},"id":1.0,"jsonrpc":"2.0","method":"x/y"}'],
    ["an id with an exponent at the end", '{"method":"x/y","jsonrpc":"2.0","params":{"id":1},"id":10e0}'],
    ["an id with a point, whose name is escaped", '{"jsonrpc":"2.0","\\u0069d":1.0,"method":"x/y"}'],
    ["an id that is null", '{"jsonrpc":"2.0","id":null,"method":"x/y"}'],
    ["two values", `${CALL} ${CALL}`],
    ["a byte order mark", `\ufeff${CALL}`],
    ["both a request and an answer", '{"jsonrpc":"2.0","id":1,"method":"x/y","result":{}}'],
    ["params that are a list", '{"jsonrpc":"2.0","id":1,"method":"x/y","params":[]}'],
    ["another version of JSON-RPC", '{"jsonrpc":"1.0","id":1,"method":"x/y"}'],
    ["a call without an id", '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"unknown","arguments":{}}}'],
    ["a method that is a number", '{"jsonrpc":"2.0","id":1,"method":5}'],
    ["metadata that is a text", '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"_meta":"a"}}'],
    ["no object", "7"],
    ["a batch", `[${CALL}]`],
    ["nothing", ""],
  ])("with %s", (_, text) => {
    const { guard, events } = verified();
    for (const message of [text, bytes(text)]) {
      const step = guard.fromClient(message);
      expect([step.action, step.toServer]).toEqual(["answer", []]);
      expect(events.at(-1)).toMatchObject({ kind: "refused", from: "client", outcome: "refused" });
      for (const answer of sent(step, "toClient")) expect(answer).toMatchObject({ error: { code: -31403 } });
    }
  });

  test("with invalid UTF-8", () => {
    const { guard } = verified();
    const message = bytes(CALL);
    message[CALL.indexOf("x/y")] = 0xff;
    expect(guard.fromClient(message)).toMatchObject({ action: "answer", toServer: [] });
  });

  test("over the limit of bytes are too large, in every form, and not called no JSON", () => {
    const long = request(1, "ping", { text: "x".repeat(300) });
    for (const message of [long, new TextEncoder().encode(long), JSON.parse(long)]) {
      const { guard, events } = guardOf(WORLD, {}, { limits: { messageBytes: 200 } });
      expect(guard.fromClient(message).toServer).toEqual([]);
      expect(events.at(-1)?.reason).toBe("the message is too large: more than 200 bytes");
    }
    const { guard, events } = guardOf(WORLD, {}, { limits: { messageBytes: 200 } });
    guard.fromClient("{");
    expect(events.at(-1)?.reason).toContain("not strict JSON");
  });

  test("beyond a limit of size, depth or batches, and only that message", () => {
    const { guard } = guardOf(WORLD, {}, { limits: { messageBytes: 200, depth: 5 } });
    for (const params of [{ a: "x".repeat(200) }, { a: [[[[[[]]]]]] }]) {
      const text = request(1, "x/y", params);
      for (const message of [text, bytes(text)]) {
        const step = guard.fromClient(message);
        expect(step).toMatchObject({ action: "answer", toServer: [] });
        expect(sent(step, "toClient")).toMatchObject([{ id: 1, error: { code: -31403 } }]);
      }
    }
    expect(guard.fromClient(CALL).action).toBe("forward");
  });
});

test("a message that every reader reads the same way passes byte for byte", () => {
  for (const text of [
    CALL,
    '{"jsonrpc":"2.0","id":"a","method":"x/y","params":{"n":[0.1,1.0,1e2,-0,9007199254740992],"Names":{"Name":1},"id":1.5}}',
  ]) {
    const { guard } = verified();
    for (const message of [text, bytes(text)]) {
      const step = guard.fromClient(message);
      expect(step.action).toBe("forward");
      expect(step.toServer[0]?.message).toBe(message);
      guard.fromServer(result(JSON.parse(text).id, {}));
    }
  }
});

test("a message with line breaks is forwarded on one line, because some readers stop at any line break", () => {
  const { guard } = verified();
  const step = guard.fromClient('{"jsonrpc":"2.0",\r\n "id":1,\r"method":"x/y"}\r');
  expect(step.toServer[0]?.message).toBe('{"jsonrpc":"2.0",   "id":1, "method":"x/y"} ');
});

describe("ids that some reader takes for one", () => {
  test.each([
    [1, '"1"'],
    [0, '""'],
    ['"1e1"', "10"],
    [7, "7"],
  ])("%s and %s do not wait at the same time", (first, second) => {
    const { guard, events } = verified();
    expect(guard.fromClient(`{"jsonrpc":"2.0","id":${first},"method":"x/y"}`).action).toBe("forward");
    const step = guard.fromClient(`{"jsonrpc":"2.0","id":${second},"method":"x/y"}`);
    expect(step.toServer).toEqual([]);
    expect(events.at(-1)).toMatchObject({ kind: "refused", method: "x/y" });
    expect(guard.fromServer(`{"jsonrpc":"2.0","id":${first},"result":{}}`).action).toBe("forward");
    expect(guard.fromClient(`{"jsonrpc":"2.0","id":${second},"method":"x/y"}`).action).toBe("forward");
  });

  test("are no answers to one another, except for the text of an integer", () => {
    const { guard } = verified();
    guard.fromClient(request(1, "x/y"));
    for (const id of ["01", "1.0", "1e0", " 1"]) {
      expect(guard.fromServer(result(id, {}))).toMatchObject({ action: "answer", toClient: [], toServer: [] });
    }
    expect(guard.fromServer(result("1", {})).action).toBe("forward");
    expect(guard.fromServer(result("1", {})).action).toBe("answer");
    guard.fromClient(request("2", "x/y"));
    expect(guard.fromServer(result(2, {}))).toMatchObject({ action: "answer", toClient: [], toServer: [] });
    expect(guard.fromServer(result("2", {})).action).toBe("forward");
    guard.fromClient(request(1, "x/y"));
    expect(guard.fromServer(result(1, {})).action).toBe("forward");
    expect(guard.fromServer(result(1, {})).action).toBe("answer");
  });
});

describe("an answer that is not forwarded", () => {
  test.each([
    ["a duplicate member", '{"jsonrpc":"2.0","id":1,"result":{"content":[],"content":[]}}'],
    [
      "a duplicate in structured content",
      '{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"a":1,"a":2}}}',
    ],
    ["a member in other case", '{"jsonrpc":"2.0","id":1,"result":{"Content":[]}}'],
    ["a member of a block in other case", '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","Text":"a"}]}}'],
    [
      "a member of a resource in other case",
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"resource","resource":{"URI":"a"}}]}}',
    ],
    ["an inexact number next to the content", '{"jsonrpc":"2.0","id":1,"result":{"content":[],"x":9007199254740993}}'],
    ["half of a surrogate pair next to the content", '{"jsonrpc":"2.0","id":1,"result":{"content":[],"x":"\\udfff"}}'],
    [
      "half of a surrogate pair in a name",
      '{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"\\udfff":1}}}',
    ],
    ["a result that is a list", '{"jsonrpc":"2.0","id":1,"result":[]}'],
    ["a result and an error", '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}'],
    ["an error without a message", '{"jsonrpc":"2.0","id":1,"error":{"code":1}}'],
    ["an error that is a text", '{"jsonrpc":"2.0","id":1,"error":"no"}'],
    ["an error in other case", '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"","Data":1}}'],
    ["params", '{"jsonrpc":"2.0","id":1,"result":{},"params":{}}'],
    ["broken JSON", '{"jsonrpc":"2.0","id":1,"result":{'],
    ["invalid UTF-8", Uint8Array.of(...bytes('{"jsonrpc":"2.0","id":1,"result":{"a":"'), 0xff, ...bytes('"}}'))],
  ])("for %s ends its call, and no other", (_, message) => {
    const { guard } = verified();
    guard.fromClient(request(1, "tools/call", { name: "read_file", arguments: { path: "a" } }));
    guard.fromClient(request(2, "tools/call", { name: "read_file", arguments: { path: "b" } }));
    const step = guard.fromServer(message);
    expect(step.toServer).toEqual([]);
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
    expect(guard.fromServer(result(2, { content: [] })).action).toBe("forward");
  });

  test("by the client ends the request of the server", () => {
    const { guard } = verified();
    guard.fromServer(request("s", "roots/list"));
    const step = guard.fromClient('{"jsonrpc":"2.0","id":"s","result":{"roots":[],"Roots":[]}}');
    expect(step.toClient).toEqual([]);
    expect(sent(step, "toServer")).toMatchObject([{ id: "s", error: { code: -31403 } }]);
  });

  test("to the guard's own listing refuses the call that waits for it", () => {
    const { guard } = guardOf(WORLD);
    const [own] = sent(
      guard.fromClient(request(1, "tools/call", { name: "read_file", arguments: { path: "a" } })),
      "toServer",
    );
    const step = guard.fromServer(`{"jsonrpc":"2.0","id":"${own?.["id"]}","result":{"tools":[],"tools":[]}}`);
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
  });
});

describe("in the content of a result", () => {
  test("inexact numbers and escaped lone surrogates pass byte for byte, with an event", () => {
    const { guard, events } = verified();
    guard.fromClient(request(1, "tools/call", { name: "read_file", arguments: { path: "a" } }));
    const answer =
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\\ud800"}],"structuredContent":{"id":9007199254740993}}}';
    expect(guard.fromServer(answer).toClient[0]?.message).toBe(answer);
    expect(events.at(-1)).toMatchObject({ kind: "result", outcome: "passed", findings: ["guard/inexact-content"] });
    guard.fromClient(request(2, "resources/read", { uri: "file:///a" }));
  });

  test.each([
    ["9007199254740993", { type: "integer" }, true],
    ["9007199254740993", { type: "integer", maximum: 9007199254740992 }, false],
    ["9007199254740993", { const: 9007199254740992 }, false],
    ["1.00000000000000000001", { type: "integer" }, false],
    ["0.1000000000000000055", { type: "number", minimum: 0 }, true],
    ["1e-400", { exclusiveMinimum: 0 }, false],
    ['"\\ud800"', { type: "string" }, true],
    ['"\\ud800"', { enum: ["\ufffd"] }, false],
  ])("%s passes unless a schema's decision depends on it: %j", (value, schema, goesOn) => {
    const tool = { name: "t", inputSchema: { type: "object" }, outputSchema: { properties: { v: schema } } };
    const { guard } = guardOf({ tools: [tool] });
    listTools(guard, [tool]);
    guard.fromClient(request(1, "tools/call", { name: "t" }));
    const step = guard.fromServer(
      `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"v":${value}}}}`,
    );
    expect(step.action).toBe(goesOn ? "forward" : "answer");
    if (!goesOn) expect(sent(step, "toClient")).toMatchObject([{ result: { isError: true } }]);
  });
});

test("whatever comes, the guard answers with a step, and forwards nothing that JSON.parse would read otherwise", () => {
  const json = fc.json();
  const mutated = fc
    .tuple(
      fc.constantFrom(CALL, result(1, { content: [] }), request(2, "tools/call", { name: "read_file" })),
      fc.nat(),
      fc.string({ unit: "binary", maxLength: 3 }),
    )
    .map(([text, at, insert]) => text.slice(0, at % text.length) + insert + text.slice(at % text.length));
  fc.assert(
    fc.property(fc.oneof(json, mutated), fc.boolean(), (text, isServer) => {
      const { guard } = verified();
      const step = isServer ? guard.fromServer(text) : guard.fromClient(text);
      for (const { message, value, origin } of isServer ? step.toClient : step.toServer) {
        if (origin === "forwarded") expect(JSON.parse(String(message))).toEqual(value);
      }
    }),
    { numRuns: runs(30) },
  );
});
