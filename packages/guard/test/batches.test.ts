import { describe, expect, test } from "vitest";
import {
  call,
  countLines,
  initializeResult,
  listTools,
  readFile,
  request,
  result,
  sent,
  verified,
} from "./support/world.ts";

describe("batches", () => {
  const batch = (...messages: string[]) => `[${messages.join(",")}]`;
  function old() {
    const world = verified();
    world.guard.fromClient(request("i", "initialize", { capabilities: {} }));
    world.guard.fromServer(result("i", { ...initializeResult({}), protocolVersion: "2025-03-26" }));
    listTools(world.guard, [readFile, countLines]);
    return world;
  }

  test("of MCP 2025-03-26 go on as they came where each of their messages does", () => {
    const { guard } = old();
    const message = batch(
      call(1, "read_file", { path: "a" }),
      request(2, "ping"),
      '{"jsonrpc":"2.0","method":"notifications/x"}',
    );
    expect(guard.fromClient(message).toServer.map((out) => out.message)).toEqual([message]);
    const answer = batch(result(2, {}), result(1, { content: [] }));
    expect(guard.fromServer(answer).toClient.map((out) => out.message)).toEqual([answer]);
  });

  test("are taken apart where one of their messages does not", () => {
    const { guard } = old();
    const step = guard.fromClient(batch(call(1, "evil"), request(2, "ping")));
    expect(step.action).toBe("replace");
    expect(sent(step, "toServer")).toMatchObject([{ id: 2, method: "ping" }]);
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, error: { code: -32602 } }]);
  });

  test("are refused where they are empty, too long, or hold what readers read differently", () => {
    const { guard } = old();
    guard.fromClient(call(1, "read_file", { path: "a" }));
    for (const message of ["[]", batch(...Array.from({ length: 101 }, (_, id) => request(id + 5, "ping")))]) {
      expect(guard.fromClient(message).toServer).toEqual([]);
    }
    const step = guard.fromServer('[{"jsonrpc":"2.0","id":1,"result":{"content":[9007199254740993]}}]');
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
  });

  test("of a later version are refused", () => {
    const { guard } = verified();
    expect(sent(guard.fromClient(batch(request(1, "ping"))), "toClient")).toMatchObject([{ id: 1, error: {} }]);
  });
});
