import type { JsonObject } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ClientKind, TellingServer } from "./support/telling-server.ts";
import { call, FILES, guardOf, listTools, MODERN, readFile, request, result, sent } from "./support/world.ts";

const kind: fc.Arbitrary<ClientKind> = fc.record({
  era: fc.constantFrom("legacy", "modern"),
  peer: fc.constantFrom("process 1", "process 2"),
  headers: fc.constantFrom("x-api-key: 1", "x-api-key: 2"),
  clientInfo: fc.constantFrom("one", "other"),
  capabilities: fc.constantFrom<JsonObject>({}, { roots: {} }),
  meta: fc.constantFrom<JsonObject>({}, { "example.com/tenant": 1 }, { "example.com/tenant": 2 }),
});
const action = fc.record({
  does: fc.constantFrom("list", "call", "call", "answer", "answer", "wait", "change"),
  index: fc.nat(1000),
});

describe("a verdict counts only for its client", () => {
  test("not after the two sides agreed on a version, where it was made before", () => {
    const { guard } = guardOf(FILES);
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    guard.fromClient(request(1, "initialize", params));
    const [early] = sent(guard.fromClient(call(2, "read_file", { path: "a" })), "toServer");
    guard.fromServer(result(String(early?.["id"]), { tools: [readFile] }));
    const serverInfo = { name: "s", version: "1" };
    guard.fromServer(result(1, { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo }));
    expect(sent(guard.fromClient(call(3, "read_file", { path: "a" })), "toServer")).toMatchObject([
      { method: "tools/list" },
    ]);
  });

  test.each([0, 60_000])("whatever a server answers whom, in any order and at once, with recheckMs %i", (recheckMs) => {
    let ended = 0;
    const property = fc.property(
      fc.array(kind, { minLength: 2, maxLength: 6 }),
      fc.array(action, { minLength: 10, maxLength: 60 }),
      fc.nat(),
      (kinds, actions, salt) => {
        const { guard, clock } = guardOf(FILES, {}, { recheckMs });
        const server = new TellingServer(guard, salt, kinds);
        for (const { does, index } of actions) {
          if (does === "list" || does === "call") server.send(index, `tools/${does}`);
          else if (does === "answer") server.answer(index);
          else if (does === "wait") clock.advance(index);
          else guard.fromServer('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
        }
        while (server.waiting > 0) server.answer(0);
        expect(server.faults).toEqual([]);
        // A call may be refused only if its list changes too often during the listing.
        if (!actions.some(({ does }) => does === "change")) expect(server.calls.wronglyRefused).toBe(0);
        ended += server.calls.ended;
      },
    );
    fc.assert(property, { numRuns: runs(60) });
    expect(ended).toBeGreaterThan(runs(200));
  });

  test("and each part of what comes with a request is a part of the key but what belongs to one request", () => {
    const { guard } = guardOf(FILES);
    const connection = guard.connect();
    const meta = { ...MODERN, "io.modelcontextprotocol/clientInfo": { name: "one", version: "1" }, tenant: 1 };
    const send = (id: number, more: JsonObject, headers = "a") =>
      connection.fromClient(call(id, "read_file", { path: "a" }, { _meta: { ...meta, ...more } }), headers).action;
    connection.fromClient(request(0, "tools/list", { _meta: meta }), "a");
    const page = { resultType: "complete", tools: [...(FILES.tools ?? [])], ttlMs: 0, cacheScope: "private" };
    connection.fromServer(JSON.stringify({ jsonrpc: "2.0", id: 0, result: page }));
    const own = ["progressToken", "traceparent", "tracestate", "baggage"];
    expect(send(1, {})).toBe("forward");
    for (const [index, name] of own.entries()) expect(send(10 + index, { [name]: "x" }), name).toBe("forward");
    expect(send(2, { "io.modelcontextprotocol/related-task": { taskId: "t" } })).toBe("forward");
    const others: JsonObject[] = [
      { tenant: 2 },
      { "io.modelcontextprotocol/clientInfo": { name: "two", version: "1" } },
      { "io.modelcontextprotocol/clientCapabilities": { roots: {} } },
      { "io.modelcontextprotocol/protocolVersion": "2027-01-01" },
      { unknown: null },
    ];
    for (const [index, other] of others.entries()) expect(send(20 + index, other), JSON.stringify(other)).toBe("hold");
    expect(send(3, {}, "b")).toBe("hold");
  });

  test("and the guard asks as the client does, without the capabilities that the policy keeps from the server", () => {
    const { guard } = guardOf(FILES, { rules: { "guard/sampling-request": { guard: "block" } } });
    const capabilities = { sampling: {}, roots: {} };
    const _meta = {
      ...MODERN,
      "io.modelcontextprotocol/clientCapabilities": capabilities,
      progressToken: 1,
      tenant: 1,
    };
    const step = guard.fromClient(call(7, "read_file", { path: "a" }, { _meta }), "h");
    expect(step.toServer).toMatchObject([{ origin: "guard", because: 7 }]);
    expect(sent(step, "toServer")[0]?.["params"]).toEqual({
      _meta: { ...MODERN, "io.modelcontextprotocol/clientCapabilities": { roots: {} }, tenant: 1 },
    });
  });
});

describe("many clients", () => {
  const TOOLS = FILES.tools ?? [];

  test("make one listing for ten thousand calls of one of them in a recheck interval", () => {
    const { guard, clock } = guardOf(FILES);
    let listings = 0;
    for (let id = 0; id < 10_000; id++) {
      const own = { progressToken: id, traceparent: `00-${id}` };
      const step = guard.fromClient(call(id, "read_file", { path: "a" }, { _meta: { ...MODERN, ...own } }), "headers");
      const [message] = sent(step, "toServer");
      if (message?.["method"] === "tools/list") {
        listings++;
        const page = { resultType: "complete", tools: [...TOOLS], ttlMs: 0, cacheScope: "private" };
        guard.fromServer(JSON.stringify({ jsonrpc: "2.0", id: message["id"] as string, result: page }));
      } else expect(message?.["id"]).toBe(id);
      guard.fromServer(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", content: [] } }));
      clock.advance(12);
    }
    // 120 seconds have passed, and a list is valid for less than 60.
    expect(listings).toBe(2);
  });

  test("that wait for nothing are forgotten first, and a call is refused only where all wait", () => {
    const { guard, events } = guardOf(FILES, {}, { limits: { clients: 2 } });
    const [a, b, c, d] = [1, 2, 3, 4].map(() => guard.connect());
    for (const each of [a, b]) listTools(each as never, TOOLS);
    expect(a?.fromClient(call(1, "read_file", { path: "a" })).action).toBe("forward");
    // The client `b` is the least recently used client.
    const held = c?.fromClient(call(1, "read_file", { path: "a" }));
    expect(held?.action).toBe("hold");
    expect(a?.fromClient(call(2, "read_file", { path: "a" })).action).toBe("forward");
    expect(b?.fromClient(call(2, "read_file", { path: "a" })).action).toBe("hold");
    expect(a?.fromClient(call(3, "read_file", { path: "a" })).action).toBe("answer");
    expect(events.at(-1)).toMatchObject({ outcome: "refused", reason: "calls from too many clients are waiting" });
    // The client still gets its list, with each page judged by itself.
    expect(d?.fromClient(request("l", "tools/list")).action).toBe("forward");
    const page = JSON.stringify({
      jsonrpc: "2.0",
      id: "l",
      result: { tools: [readFile, { ...readFile, name: "new" }] },
    });
    expect(JSON.stringify(sent(d?.fromServer(page) as never, "toClient"))).not.toContain("new");
    c?.close();
    expect(a?.fromClient(call(4, "read_file", { path: "a" })).action).toBe("hold");
  });

  test("are not kept where their process is gone", () => {
    const { guard } = guardOf(FILES, {}, { limits: { clients: 2 } });
    listTools(guard, TOOLS);
    for (let i = 0; i < 10; i++) {
      const left = guard.connect();
      listTools(left, TOOLS);
      left.close();
    }
    expect(guard.fromClient(call(1, "read_file", { path: "a" })).action).toBe("forward");
  });
});
