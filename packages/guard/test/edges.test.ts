import type { JsonObject } from "@agentprint/canonical-json";
import { createLock, type LockFile } from "@agentprint/mcp-lock";
import { describe, expect, test } from "vitest";
import { ExpiringSet } from "../src/calls/call-state.ts";
import { createGuard } from "../src/index.ts";
import {
  discoverResult,
  guardOf,
  initializeResult,
  listTools,
  MODERN,
  policyOf,
  readFile,
  request,
  result,
  sent,
  shown,
  visitOf,
} from "./support/world.ts";

const WORLD = { tools: [readFile] };
const call = (id: number, params: JsonObject = {}) =>
  request(id, "tools/call", { name: "read_file", arguments: { path: "a" }, ...params });

describe("members next to the items of a list", () => {
  const locked: LockFile = (() => {
    const visit = visitOf(WORLD);
    const sessions = visit.sessions.map((session) => ({
      ...session,
      lists: {
        tools: [
          [
            {
              tools: [readFile],
              note: "kept",
              ...(session.era === "modern" && { resultType: "complete", ttlMs: 0, cacheScope: "public" }),
            },
          ],
        ],
      },
    }));
    return createLock({ files: { ...visit, sessions } });
  })();

  test("are let through as they were locked, and others are left out", () => {
    const guard = createGuard({ lock: locked, server: "files", policy: policyOf({}) });
    const list = (members: JsonObject) => {
      guard.fromClient(request(1, "tools/list", { _meta: MODERN }));
      return guard.fromServer(
        result(1, { resultType: "complete", tools: [readFile], ttlMs: 5, cacheScope: "public", ...members }),
      );
    };
    expect(list({ note: "kept" }).action).toBe("forward");
    const [message] = sent(list({ note: "kept", more: "text for a model" }), "toClient");
    expect(message?.["result"]).toEqual({
      resultType: "complete",
      tools: [readFile],
      ttlMs: 0,
      cacheScope: "private",
      note: "kept",
    });
    const info = { "io.modelcontextprotocol/serverInfo": { name: "evil", version: "1" } };
    expect(JSON.stringify(sent(list({ note: "kept", _meta: info }), "toClient"))).not.toContain("evil");
    expect(list({ note: "kept" }).action).toBe("forward");
  });

  test("make a list unreadable where they are no JSON that can be compared", () => {
    const { guard } = guardOf(WORLD);
    guard.fromClient(JSON.parse(request(1, "tools/list")));
    const step = guard.fromServer({ jsonrpc: "2.0", id: 1, result: { tools: [{ ...readFile, title: "\ud800" }] } });
    expect(sent(step, "toClient")).toMatchObject([{ error: {} }]);
  });
});

test("a greeting with members of its own is shown with those that were locked", () => {
  const { guard } = guardOf({ ...WORLD, instructions: "Be careful." });
  const greet = (live: JsonObject) => {
    guard.fromClient(request(1, "server/discover", { _meta: MODERN }));
    return sent(guard.fromServer(result(1, live)), "toClient")[0]?.["result"] as JsonObject;
  };
  const { _meta: _, ...bare } = discoverResult({ instructions: "Be careful." });
  expect(greet(bare)).toEqual(bare);
  expect(greet({ ...bare, _meta: { other: 1 } })).toEqual({ ...bare, cacheScope: "private", ttlMs: 0 });
  const { instructions: _instructions, ...without } = bare;
  expect(greet(without)["instructions"]).toBe("Be careful.");
  expect(greet({ ...bare, capabilities: { tools: { listChanged: false } } })["capabilities"]).toEqual({ tools: {} });
});

test("schemas that cannot be read are never frozen", () => {
  const tool = { name: "t", inputSchema: { type: "object" } };
  const { guard } = guardOf({ tools: [tool] }, { rules: { "mcp/contract-unproven": { guard: "freeze" } } });
  expect(
    shown(listTools(guard, [{ ...tool, inputSchema: { type: "object", properties: { a: { type: 5 } } } }])),
  ).toEqual([]);
});

test("lists are read page by page, also where the client stops between them", () => {
  const { guard } = guardOf(WORLD);
  for (let id = 0; id < 40; id++) {
    guard.fromClient(request(id, "tools/list"));
    expect(guard.fromServer(result(id, { tools: [], nextCursor: `c${id}` })).action).toBe("forward");
  }
  guard.fromClient(request(100, "tools/list", { cursor: "c0" }));
  expect(guard.fromServer(result(100, { tools: [readFile] })).action).toBe("forward");
  expect(guard.fromClient(call(101)).action).toBe("hold");
});

test("the same page again is as it was, whatever its id, its bytes and the order of its members", () => {
  const { guard } = guardOf(WORLD);
  const drifted = { ...readFile, title: "Other" };
  const bytes = (text: string) => new TextEncoder().encode(text);
  for (const tools of [[readFile], [drifted]]) {
    const expected = tools[0] === readFile ? [readFile] : [];
    for (const id of [1, 2, 3]) {
      guard.fromClient(request(id, "tools/list"));
      const step = guard.fromServer(bytes(result(id, { tools })));
      expect(step.toClient).toHaveLength(1);
      expect(
        sent(
          { ...step, toClient: step.toClient.map(({ value, ...out }) => ({ ...out, value, message: value })) },
          "toClient",
        ),
      ).toMatchObject([{ id, result: { tools: expected } }]);
    }
    for (const message of [
      result(4, { tools }),
      `{"result":{"tools":${JSON.stringify(tools)}},"id":4,"jsonrpc":"2.0"}`,
      bytes(result(4, { tools: [...tools] })),
    ]) {
      guard.fromClient(request(4, "tools/list"));
      expect(guard.fromServer(message).action).toBe(expected.length > 0 ? "forward" : "replace");
    }
  }
});

test("a transport may reuse its bytes", () => {
  const { guard } = guardOf(WORLD);
  const good = new TextEncoder().encode(result(1, { tools: [readFile] }));
  const evil = new TextEncoder().encode(result(1, { tools: [{ ...readFile, description: "Reads a fil3" }] }));
  expect(evil).toHaveLength(good.length);
  guard.fromClient(request(1, "tools/list"));
  guard.fromServer(good);
  good.set(evil);
  guard.fromClient(request(1, "tools/list"));
  expect(shown({ ...guard.fromServer(good) })).toEqual([]);
});

describe("what the guard sealed", () => {
  const ASK = { servers: { files: { calls: { read_file: { ask: true as const } } } } };
  const capable = { ...MODERN, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };

  test("is shown to no server, also where nobody has to agree any more, or with another method", () => {
    const { guard, clock } = guardOf(WORLD, ASK);
    guard.fromClient(request("l", "tools/list", { _meta: capable }));
    guard.fromServer(result("l", { resultType: "complete", tools: [readFile], ttlMs: 0, cacheScope: "private" }));
    const [message] = sent(guard.fromClient(call(1, { _meta: capable })), "toClient");
    const { requestState } = (message?.["result"] ?? {}) as JsonObject;
    const again = {
      _meta: capable,
      requestState: requestState ?? null,
      inputResponses: { guard: { action: "accept", content: { allow: true } } },
    };
    const other = guard.fromClient(request(2, "prompts/get", { name: "a", ...again }));
    expect([other.toServer, sent(other, "toClient")]).toMatchObject([[], [{ id: 2, error: { code: -31403 } }]]);
    guard.replaceLock(createLock({ files: visitOf(WORLD) }), policyOf({}));
    const [own] = sent(guard.fromClient(call(3, again)), "toServer");
    const step = guard.fromServer(
      result(own?.["id"] ?? null, { resultType: "complete", tools: [readFile], ttlMs: 0, cacheScope: "private" }),
    );
    expect(sent(step, "toServer")).toMatchObject([{ id: 3, params: { name: "read_file" } }]);
    expect(JSON.stringify(sent(step, "toServer"))).not.toContain(String(requestState));
    expect(clock.waiting).toBe(0);
  });
});

test("clients beyond the remembered ones are verified again", () => {
  const { guard } = guardOf(WORLD);
  const first = guard.connect({ authorization: "0" });
  listTools(first, [readFile]);
  for (let i = 1; i <= 1000; i++) guard.connect({ authorization: String(i) }).fromClient(request(1, "tools/list"));
  expect(first.fromClient(call(1)).action).toBe("hold");
});

test("a time that is over after the connection ended writes nothing", () => {
  const { guard, clock, later } = guardOf(WORLD);
  const other = guard.connect();
  guard.fromClient(call(1));
  other.fromClient(call(1));
  other.close();
  clock.advance(1e9);
  expect(later).toHaveLength(1);
});

test("a set forgets expired members, and the oldest of too many", () => {
  const set = new ExpiringSet(2);
  expect([set.add("a", 10, 0), set.add("a", 10, 0), set.add("b", 20, 0), set.add("c", 20, 0)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect([set.has("a", 0), set.has("b", 0), set.has("b", 21)]).toEqual([false, true, false]);
  expect(set.add("b", 50, 21)).toBe(true);
});

test("a message that cannot be answered is dropped", () => {
  const { guard, events } = guardOf(WORLD);
  const getter = {
    jsonrpc: "2.0",
    id: 1,
    get method(): string {
      throw new Error("no");
    },
  };
  expect(guard.fromClient(getter as never)).toEqual({ action: "answer", toServer: [], toClient: [] });
  expect(events.at(-1)).toMatchObject({ kind: "refused", outcome: "refused" });
  const bytes = Object.create(Uint8Array.prototype) as Uint8Array;
  expect(guard.fromServer(bytes)).toEqual({ action: "answer", toServer: [], toClient: [] });
  expect(events.at(-1)).toMatchObject({ kind: "refused", outcome: "refused", reason: "it could not be judged" });
  for (const id of ['"\\ud800"', "1e400", "1.5", "9007199254740993"]) {
    expect(guard.fromClient(`{"jsonrpc":"2.0","id":${id},"method":"ping","a":1,"a":2}`).toServer).toEqual([]);
  }
});

describe("events", () => {
  test("describe a request in the words of the client, in both eras, and its failure", () => {
    const { guard, events, clock } = guardOf(WORLD);
    const connection = guard.connect({ session: () => "s1" });
    connection.fromClient(request("a", "initialize", { protocolVersion: "2025-11-25", capabilities: {} }));
    connection.fromServer(result("a", initializeResult(WORLD)));
    const since = clock.time;
    const trace = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: 1 };
    connection.fromClient(request(7, "resources/subscribe", { uri: "file:///a", _meta: trace }));
    clock.advance(10);
    connection.fromServer(JSON.stringify({ jsonrpc: "2.0", id: 7, error: { code: -32002, message: "no" } }));
    const recorded = events.at(-1)?.request;
    expect(events.at(-1)).toMatchObject({ kind: "result", failure: -32002 });
    expect(recorded).toMatchObject({ id: 7, since, target: "file:///a", protocolVersion: "2025-11-25", session: "s1" });
    expect(["traceparent", "tracestate", "toString"].map((name) => recorded?.meta(name))).toEqual([
      trace.traceparent,
      undefined,
      undefined,
    ]);
    guard.fromClient(request(8, "ping", { _meta: MODERN }));
    guard.fromServer(result(8, { isError: true }));
    expect(events.at(-1)).toMatchObject({ failure: "tool_error", request: { protocolVersion: "2026-07-28" } });
    expect(events.at(-1)?.request?.session).toBeUndefined();
  });

  test("of an answer that is not let through are about the request that it answers", () => {
    const { guard, events } = guardOf(WORLD);
    guard.fromClient(request(9, "ping"));
    const asked = events.at(-1);
    guard.fromServer('{"jsonrpc":"2.0","id":9,"result":{"a":1,"a":2}}');
    expect(events.at(-1)).toMatchObject({ kind: "refused", correlation: asked?.correlation, method: "ping" });
  });
});
