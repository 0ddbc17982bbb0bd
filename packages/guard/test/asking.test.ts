import type { JsonObject } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import {
  call,
  callRules,
  countLines,
  FILES,
  guardOf,
  listTools,
  MODERN,
  readFile,
  request,
  result,
  sent,
  verified,
} from "./support/world.ts";

describe("asking someone", () => {
  const ASK = callRules({ read_file: { ask: true } });
  const CALL = call(1, "read_file", { path: "a" });
  const initialize = (guard: ReturnType<typeof verified>["guard"], elicitation: JsonObject) => {
    guard.fromClient(request("i", "initialize", { capabilities: { elicitation } }));
    listTools(guard, [readFile, countLines]);
  };
  const yes = { action: "accept", content: { allow: true } };

  test.each([
    [yes, "toServer"],
    [{ action: "accept", content: { allow: false } }, "toClient"],
    [{ action: "decline" }, "toClient"],
  ])("is a request in the old era: %j", (said, side) => {
    const { guard, events } = verified(ASK);
    initialize(guard, {});
    const held = guard.fromClient(CALL);
    expect(held).toMatchObject({ action: "hold", toServer: [] });
    const [question] = sent(held, "toClient");
    expect(question).toMatchObject({
      method: "elicitation/create",
      params: { requestedSchema: { required: ["allow"] } },
    });
    expect(events.at(-1)).toMatchObject({ kind: "asked", outcome: "waiting" });
    const step = guard.fromClient(result(question?.["id"] ?? null, said as JsonObject));
    expect([step.toServer.length, step.toClient.length]).toEqual(side === "toServer" ? [1, 0] : [0, 1]);
    expect(sent(step, side as "toServer")).toMatchObject([{ id: 1 }]);
  });

  test("ends if the client answers with an error, unreadably or not at all", () => {
    for (const answer of [
      (id: string) => `{"jsonrpc":"2.0","id":"${id}","error":{"code":1,"message":"no"}}`,
      (id: string) => `{"jsonrpc":"2.0","id":"${id}","result":{"a":1,"a":2}}`,
    ]) {
      const { guard } = verified(ASK);
      initialize(guard, { form: {} });
      const [question] = sent(guard.fromClient(CALL), "toClient");
      expect(sent(guard.fromClient(answer(String(question?.["id"]))), "toClient")).toMatchObject([
        { id: 1, result: { isError: true } },
      ]);
    }
    const { guard, clock, later } = verified(ASK, { limits: { askMs: 1000 }, recheckMs: 1e9 });
    initialize(guard, {});
    const [question] = sent(guard.fromClient(CALL), "toClient");
    clock.advance(1000);
    expect(later.map((step) => sent(step, "toClient"))).toMatchObject([[{ id: 1, result: { isError: true } }]]);
    expect(guard.fromClient(result(question?.["id"] ?? null, yes as JsonObject))).toMatchObject({
      toServer: [],
      toClient: [],
    });
  });

  test("ends where the client cancels the call, or the connection ends", () => {
    const { guard, clock } = verified(ASK);
    initialize(guard, {});
    guard.fromClient(CALL);
    guard.fromClient('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    expect(clock.waiting).toBe(0);
    guard.fromClient(CALL);
    expect(sent(guard.close(), "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
    expect(clock.waiting).toBe(0);
  });

  test("is a callback where the client has no form", async () => {
    const asked: unknown[] = [];
    const { guard } = verified(ASK, { ask: (question) => asked.push(question) > 0 });
    initialize(guard, { url: {} });
    expect(guard.fromClient(CALL).action).toBe("forward");
    expect(asked).toEqual([
      { server: "files", tool: "read_file", reason: "the policy asks before calls of this tool" },
    ]);
    for (const [answer, side] of [
      [Promise.resolve(true), "toServer"],
      [Promise.resolve(false), "toClient"],
      [Promise.reject(new Error("no")), "toClient"],
    ] as const) {
      const world = verified(ASK, { ask: () => answer });
      expect(world.guard.fromClient(CALL).action).toBe("hold");
      await answer.catch(() => undefined);
      await Promise.resolve();
      expect(sent(world.later[0] as never, side)).toMatchObject([{ id: 1 }]);
    }
    expect(verified(ASK, { ask: () => false }).guard.fromClient(CALL).action).toBe("answer");
    expect(verified(ASK).guard.fromClient(CALL).action).toBe("answer");
  });

  describe("is a result in the new era", () => {
    const capabilities = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
    const meta = { _meta: { ...MODERN, ...capabilities } };
    const ask = (more: JsonObject = {}, options: Parameters<typeof verified>[1] = {}) => {
      const world = guardOf(FILES, ASK, { recheckMs: 1e9, ...options });
      world.guard.fromClient(request("l", "tools/list", meta));
      world.guard.fromServer(
        result("l", { resultType: "complete", tools: [readFile, countLines], ttlMs: 0, cacheScope: "private" }),
      );
      const step = world.guard.fromClient(call(1, "read_file", { path: "a" }, { ...meta, ...more }));
      const [message] = sent(step, "toClient");
      return { ...world, step, asked: message?.["result"] as JsonObject };
    };
    const again = (id: number, asked: JsonObject, said: JsonObject, args: JsonObject = { path: "a" }) =>
      call(id, "read_file", args, {
        ...meta,
        requestState: asked["requestState"] ?? null,
        inputResponses: { guard: said },
      });

    test("and the call goes on without what the guard gave the client to carry", () => {
      const { guard, step, asked } = ask();
      expect(step.toServer).toEqual([]);
      expect(asked).toMatchObject({
        resultType: "input_required",
        inputRequests: { guard: { method: "elicitation/create" } },
      });
      expect(sent(guard.fromClient(again(2, asked, yes as JsonObject)), "toServer")).toEqual([
        {
          jsonrpc: "2.0",
          id: 2,
          method: "tools/call",
          params: { name: "read_file", arguments: { path: "a" }, ...meta },
        },
      ]);
      expect(sent(guard.fromClient(again(3, asked, yes as JsonObject)), "toClient")).toMatchObject([
        { id: 3, result: { isError: true, resultType: "complete" } },
      ]);
    });

    test("and what the server itself gave it to carry comes back", () => {
      const carried = { requestState: "opaque", inputResponses: { login: { action: "accept" } } };
      const { guard, asked } = ask(carried);
      expect(JSON.stringify(asked)).not.toContain("opaque");
      const [message] = sent(guard.fromClient(again(2, asked, yes as JsonObject)), "toServer");
      expect(message?.["params"]).toMatchObject(carried);
    });

    test("and an approved call needs no second approval while the server asks in its turn", () => {
      const { guard, asked } = ask();
      guard.fromClient(again(2, asked, yes as JsonObject));
      const state = "server-state";
      const required = { resultType: "input_required", requestState: state };
      expect(guard.fromServer(result(2, required)).action).toBe("forward");
      const retry = (id: number, args: JsonObject) =>
        guard.fromClient(call(id, "read_file", args, { ...meta, requestState: state }));
      expect(retry(3, { path: "a" }).action).toBe("forward");
      expect(sent(retry(4, { path: "b" }), "toClient")).toMatchObject([{ result: { resultType: "input_required" } }]);
    });

    test.each([
      ["another call", (asked: JsonObject) => again(2, asked, yes as JsonObject, { path: "b" })],
      [
        "a changed seal",
        (asked: JsonObject) =>
          again(2, { requestState: `${asked["requestState"]}`.replace(/.$/, "!") }, yes as JsonObject),
      ],
      [
        "half a seal",
        (asked: JsonObject) => again(2, { requestState: `${asked["requestState"]}`.slice(0, 20) }, yes as JsonObject),
      ],
      ["a no", (asked: JsonObject) => again(2, asked, { action: "decline" })],
      [
        "no answer",
        (asked: JsonObject) =>
          call(2, "read_file", { path: "a" }, { ...meta, requestState: asked["requestState"] ?? null }),
      ],
    ])("and is refused with %s", (_, message) => {
      const { guard, asked } = ask();
      const step = guard.fromClient(message(asked));
      expect(step.toServer).toEqual([]);
      expect(sent(step, "toClient")).toMatchObject([{ id: 2, result: { isError: true } }]);
    });

    test("and is refused after its time is over, or by another guard", () => {
      const { guard, asked, clock } = ask({}, { limits: { askMs: 1000 } });
      clock.advance(1001);
      expect(guard.fromClient(again(2, asked, yes as JsonObject)).toServer).toEqual([]);
      let seed = 1;
      const other = ask(
        {},
        { random: (bytes) => Uint8Array.from({ length: bytes }, () => (seed = (seed * 7 + 3) % 256)) },
      );
      expect(sent(other.guard.fromClient(again(5, asked, yes as JsonObject)), "toClient")).toMatchObject([
        { result: { resultType: "input_required" } },
      ]);
    });

    test("and is a refusal where the client has no form", () => {
      const { guard } = guardOf(FILES, ASK);
      guard.fromClient(request("l", "tools/list", { _meta: MODERN }));
      guard.fromServer(
        result("l", { resultType: "complete", tools: [readFile, countLines], ttlMs: 0, cacheScope: "private" }),
      );
      expect(sent(guard.fromClient(call(1, "read_file", { path: "a" }, { _meta: MODERN })), "toClient")).toMatchObject([
        { result: { isError: true } },
      ]);
    });
  });

  test("about a tool that drifted: the client gets the locked definition, and each call is asked about", () => {
    const policy = { rules: { "mcp/tool-prose-changed": { guard: "ask" as const } } };
    const { guard } = guardOf(FILES, policy, { ask: () => true });
    const step = listTools(guard, [{ ...readFile, description: "Reads a file, a file" }]);
    expect(step.action).toBe("replace");
    expect(guard.fromClient(CALL).action).toBe("forward");
  });
});
