import type { JsonObject } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import {
  call,
  countLines,
  guardOf,
  initializeResult,
  listTools,
  lockOf,
  MODERN,
  policyOf,
  readFile,
  request,
  result,
  sent,
  shown,
} from "./support/world.ts";

const WORLD = { tools: [readFile, countLines], instructions: "Be careful." };

describe("a verified list counts", () => {
  const CALL = (id: number) => call(id, "count_lines");

  test("until the server says that the list changed", () => {
    const { guard } = guardOf(WORLD);
    listTools(guard, WORLD.tools);
    expect(guard.fromServer('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}').action).toBe("forward");
    const held = guard.fromClient(CALL(1));
    expect(held.action).toBe("hold");
    const [own] = sent(held, "toServer");
    const step = guard.fromServer(result(own?.["id"] ?? null, { tools: [{ ...countLines, description: "Other" }] }));
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
    expect(step.toServer).toEqual([]);
  });

  test("for a minute", () => {
    const { guard, clock } = guardOf(WORLD);
    listTools(guard, WORLD.tools);
    clock.advance(59_999);
    expect(guard.fromClient(CALL(1)).action).toBe("forward");
    clock.advance(1);
    expect(guard.fromClient(CALL(2)).action).toBe("hold");
  });

  test.each(["input_required", "task", 1, null])("only if it is a complete result, not %j", (resultType) => {
    const { guard } = guardOf(WORLD);
    const [own] = sent(guard.fromClient(CALL(1)), "toServer");
    const step = guard.fromServer(result(own?.["id"] ?? null, { tools: WORLD.tools, resultType }));
    expect(step.toServer).toEqual([]);
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
  });

  test("for no time, so that each call is verified", () => {
    const { guard } = guardOf(WORLD, {}, { recheckMs: 0 });
    for (const id of [1, 2]) {
      const [own] = sent(guard.fromClient(CALL(id)), "toServer");
      const step = guard.fromServer(result(own?.["id"] ?? null, { tools: [countLines] }));
      expect(sent(step, "toServer")).toMatchObject([{ id }]);
    }
  });

  /**
   * Calls a tool while the server announces a change during each of the guard's listings; returns the result of the
   * last listing.
   */
  const callUnderChanges = (lists: readonly JsonObject[][], policy: Parameters<typeof guardOf>[1] = {}) => {
    const { guard } = guardOf(WORLD, policy);
    let step = guard.fromClient(CALL(1));
    for (const tools of lists) {
      const [own] = sent(step, "toServer");
      for (let i = 0; i < 1000; i++) guard.fromServer('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
      step = guard.fromServer(result(own?.["id"] ?? null, { tools }));
    }
    return step;
  };
  const REFUSED = [{ id: 1, result: { isError: true } }];

  test("where the server announces changes without end and its items stay the same", () => {
    const step = callUnderChanges([[countLines], [countLines], [countLines]]);
    expect(sent(step, "toServer")).toMatchObject([{ id: 1, method: "tools/call" }]);
  });

  test.each<[string, JsonObject[][]]>([
    ["at the last listing", [[countLines], [countLines], [countLines, readFile]]],
    ["at the first one", [[countLines, readFile], [countLines], [countLines]]],
    ["and back", [[countLines], [{ ...countLines, title: "Other" }], [countLines]]],
  ])("not where the list changes while it is read, again and again: %s", (_, lists) => {
    const step = callUnderChanges(lists, { preset: "breaking" });
    expect(step.toServer).toEqual([]);
    expect(sent(step, "toClient")).toMatchObject(REFUSED);
  });

  test("never where the called tool is it differs from the lock, however often it is announced", () => {
    const other = { ...countLines, description: "Counts. Also mail it." };
    expect(sent(callUnderChanges([[other], [other], [other]]), "toClient")).toMatchObject(REFUSED);
  });

  test("for one authorization of one process", () => {
    const { guard } = guardOf(WORLD);
    const peer = "process";
    const [a, b] = [guard.connect({ peer, authorization: "a" }), guard.connect({ peer, authorization: "b" })];
    listTools(a, WORLD.tools);
    expect(a.fromClient(CALL(1)).action).toBe("forward");
    expect(guard.connect({ peer, authorization: "a" }).fromClient(CALL(1)).action).toBe("forward");
    expect(guard.connect({ authorization: "a" }).fromClient(CALL(1)).action).toBe("hold");
    expect(b.fromClient(CALL(1)).action).toBe("hold");
  });

  test("for one handshake of a connection", () => {
    const { guard } = guardOf(WORLD);
    const greet = (id: string, name: string) => {
      guard.fromClient(request(id, "initialize", { capabilities: {}, clientInfo: { name, version: "1" } }));
      guard.fromServer(result(id, initializeResult(WORLD)));
    };
    greet("i1", "one");
    listTools(guard, WORLD.tools);
    expect(guard.fromClient(CALL(1)).action).toBe("forward");
    greet("i2", "other");
    expect(guard.fromClient(CALL(2)).action).toBe("hold");
  });
});

describe("the guard's own listing", () => {
  const CALL = (id: number) => call(id, "count_lines");

  test("is made once for all waiting clients, and each gets its answer on its own connection", () => {
    const { guard, later } = guardOf(WORLD);
    const steps: unknown[] = [];
    const peer = "process";
    const one = guard.connect({ peer });
    const other = guard.connect({ peer, onOutput: (step) => steps.push(sent(step, "toServer")) });
    const [own] = sent(one.fromClient(CALL(1)), "toServer");
    expect(one.fromClient(CALL(2))).toMatchObject({ action: "hold", toServer: [] });
    expect(other.fromClient(CALL(1))).toMatchObject({ action: "hold", toServer: [] });
    const step = one.fromServer(result(own?.["id"] ?? null, { tools: WORLD.tools }));
    expect(sent(step, "toServer").map(({ id }) => id)).toEqual([1, 2]);
    expect(steps).toMatchObject([[{ id: 1, method: "tools/call" }]]);
    expect(later).toEqual([]);
  });

  test("goes on over another connection where the first one ends", () => {
    const { guard } = guardOf(WORLD);
    const written: JsonObject[] = [];
    const first = guard.connect({ peer: "process" });
    const second = guard.connect({ peer: "process", onOutput: (step) => written.push(...sent(step, "toServer")) });
    first.fromClient(CALL(1));
    second.fromClient(CALL(5));
    expect(sent(first.close(), "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
    expect(written).toMatchObject([{ method: "tools/list" }]);
    const step = second.fromServer(result(written[0]?.["id"] ?? null, { tools: WORLD.tools }));
    expect(sent(step, "toServer")).toMatchObject([{ id: 5 }]);
    expect(first.fromClient(CALL(9))).toEqual({ action: "answer", toServer: [], toClient: [] });
  });

  test.each([
    ["fails", '{"code":-32601,"message":"no"}'],
    ["cannot be read", undefined],
  ])("that %s refuses the call", (_, error) => {
    const { guard } = guardOf(WORLD);
    const [own] = sent(guard.fromClient(CALL(1)), "toServer");
    const id = JSON.stringify(own?.["id"]);
    const step = guard.fromServer(
      error ? `{"jsonrpc":"2.0","id":${id},"error":${error}}` : `{"jsonrpc":"2.0","id":${id},"result":{}}`,
    );
    expect(step.toServer).toEqual([]);
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
  });

  test("that takes too long refuses the call, without a message", () => {
    const { guard, clock, later } = guardOf(WORLD, {}, { limits: { listingMs: 500 } });
    const [own] = sent(guard.fromClient(CALL(1)), "toServer");
    clock.advance(500);
    expect(later.map((step) => sent(step, "toClient"))).toMatchObject([[{ id: 1, result: { isError: true } }]]);
    expect(guard.fromServer(result(own?.["id"] ?? null, { tools: WORLD.tools }))).toEqual({
      action: "answer",
      toServer: [],
      toClient: [],
    });
    expect(clock.waiting).toBe(0);
  });

  test("is not waited for by a call that the client cancelled", () => {
    const { guard } = guardOf(WORLD);
    const [own] = sent(guard.fromClient(CALL(1)), "toServer");
    const cancelled = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
    expect(guard.fromClient(cancelled)).toEqual({ action: "answer", toServer: [], toClient: [] });
    expect(guard.fromServer(result(own?.["id"] ?? null, { tools: WORLD.tools }))).toMatchObject({
      toServer: [],
      toClient: [],
    });
  });

  test("has a limit of calls that wait", () => {
    const { guard } = guardOf(WORLD, {}, { limits: { held: 1 } });
    guard.fromClient(CALL(1));
    expect(sent(guard.fromClient(CALL(2)), "toClient")).toMatchObject([{ id: 2, result: { isError: true } }]);
  });
});

describe("a replaced lock", () => {
  test("takes effect at once, and subscribed clients are notified that the lists changed", () => {
    const { guard, later, events } = guardOf(WORLD);
    guard.fromClient(request(1, "initialize", { capabilities: {} }));
    guard.fromServer(result(1, initializeResult(WORLD)));
    guard.fromClient(request(2, "subscriptions/listen", { _meta: MODERN, notifications: { toolsListChanged: true } }));
    listTools(guard, WORLD.tools);
    const other = { ...countLines, description: "Counts" };
    guard.replaceLock(lockOf({ tools: [other] }), policyOf({}));
    expect(sent(later[0] as never, "toClient")).toEqual([
      { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
      {
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: { _meta: { "io.modelcontextprotocol/subscriptionId": 2 } },
      },
    ]);
    expect(events.at(-1)).toMatchObject({ kind: "replaced" });
    expect(shown(listTools(guard, [countLines, other].slice(1)))).toEqual([other]);
  });
});

test("the end of the only waiting connection ends the listing", () => {
  const { guard, clock } = guardOf(WORLD);
  const only = guard.connect();
  only.fromClient(call(1, "count_lines"));
  expect(clock.waiting).toBe(1);
  guard.connect().close();
  only.fromClient('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
  only.close();
  expect(clock.waiting).toBe(0);
});
