import type { JsonObject } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import type { GuardEvent } from "../src/index.ts";
import {
  call,
  callRules,
  countLines,
  FILES,
  guardOf,
  initializeResult,
  listTools,
  MODERN,
  readFile,
  request,
  result,
  sent,
} from "./support/world.ts";

describe("a fault of the guard", () => {
  const broken = (kinds: string[], options = {}) => {
    const seen: GuardEvent[] = [];
    const onEvent = (event: GuardEvent) => {
      seen.push(event);
      if (kinds.includes(event.kind)) throw new Error("no store");
    };
    const world = guardOf(FILES, {}, { onEvent, ...options });
    return { ...world, seen };
  };

  test.each([
    ["call", true],
    ["result", false],
  ])("refuses the call that it was about: an event of the kind %s that nobody takes", (kind, isCall) => {
    const { guard, seen } = broken([kind, "fault"]);
    listTools(guard, [readFile, countLines]);
    const step = guard.fromClient(call(1, "read_file", { path: "a" }));
    const refused = isCall ? step : guard.fromServer(result(1, { content: [] }));
    expect(sent(refused, "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
    expect(refused.toServer).toEqual([]);
    expect(seen.at(-1)).toMatchObject({ kind: "fault", outcome: "refused", reason: "Error" });
    expect(guard.fromClient(request(1, "ping")).action).toBe("forward");
  });

  test("refuses what is no call, and a call whose answer is a task, with an error", () => {
    const { guard } = broken(["passed", "call"]);
    listTools(guard, [readFile, countLines]);
    const task = request(2, "tools/call", { name: "read_file", arguments: { path: "a" }, task: {} });
    for (const message of [request(2, "x/y"), task]) {
      expect(sent(guard.fromClient(message), "toClient")).toMatchObject([{ id: 2, error: { code: -31403 } }]);
    }
  });

  test("refuses a call that waited", () => {
    const { guard } = broken(["call"]);
    const [own] = sent(guard.fromClient(call(1, "read_file", { path: "a" })), "toServer");
    const step = guard.fromServer(result(own?.["id"] ?? null, { tools: [readFile, countLines] }));
    expect(step.toServer).toEqual([]);
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
  });

  test("also occurs for a message that cannot be read", () => {
    const { guard } = broken(["refused"]);
    expect(sent(guard.fromClient('{"jsonrpc":"2.0","id":4,"id":4}'), "toClient")).toMatchObject([{ id: 4, error: {} }]);
  });

  test("lets it through where that is wanted", () => {
    const { guard, seen } = broken(["call"], { failOpen: true });
    listTools(guard, [readFile, countLines]);
    const message = call(1, "read_file", { path: "a" });
    expect(guard.fromClient(message)).toMatchObject({ action: "forward", toServer: [{ message }] });
    expect(seen.at(-1)).toMatchObject({ kind: "fault", outcome: "passed" });
  });

  test("a refused message stays refused where faults are let through and the event callback fails", () => {
    const { guard, seen } = broken(["call", "refused"], { failOpen: true });
    listTools(guard, [readFile, countLines]);
    for (const message of [call(1, "evil"), call(1, "read_file", { path: 1 }), '{"jsonrpc":"2.0","id":1,"id":1}']) {
      expect(guard.fromClient(message)).toMatchObject({ action: "answer", toServer: [], toClient: [{}] });
      expect(seen.at(-1)).toMatchObject({ kind: "fault", outcome: "refused" });
    }
  });
});

describe("a message nested deeper than can be judged, within the limits", () => {
  const DEPTH = 20_000;
  const deep = "[".repeat(DEPTH) + "]".repeat(DEPTH);
  const limits = { depth: 2 * DEPTH };

  test("is refused as it is, and never passed as a fault", () => {
    const { guard, events } = guardOf(FILES, {}, { failOpen: true, screen: "withhold", limits });
    const data = `[${deep},"\u202e\u202e"]`;
    const step = guard.fromServer(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":${data}}}`);
    expect(step).toEqual({ action: "answer", toServer: [], toClient: [] });
    expect(events.at(-1)).toMatchObject({ kind: "refused", outcome: "refused", reason: "it could not be judged" });
  });

  test("is refused, too, where another waiting client cannot be notified", () => {
    const { guard, events } = guardOf(FILES, {}, { screen: "withhold", limits });
    const onOutput = () => {
      throw new Error("no transport");
    };
    const protocolVersion = "2025-03-26";
    const [first, second] = [guard.connect({ peer: "p" }), guard.connect({ peer: "p", onOutput })];
    for (const each of [first, second]) {
      each.fromClient(request(0, "initialize", { protocolVersion, capabilities: {} }));
      each.fromServer(result(0, { ...initializeResult({}), protocolVersion }));
    }
    const [own] = sent(first.fromClient(call(1, "read_file", { path: "a" })), "toServer");
    expect(second.fromClient(call(1, "read_file", { path: "a" }))).toMatchObject({ action: "hold", toServer: [] });
    const notice = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":[${deep},"\u202e\u202e"]}}`;
    const step = first.fromServer(`[${notice},${result(own?.["id"] ?? null, { tools: [readFile, countLines] })}]`);
    expect(step.toClient).toEqual([]);
    expect(events.at(-1)).toMatchObject({ kind: "fault", outcome: "refused", reason: "Error" });
  });

  test.each([`"inputSchema":{"x":${deep}}`, `"x":${deep}`])("is no page of a list", (member) => {
    const { guard } = guardOf(FILES, {}, { limits });
    guard.fromClient(request(1, "tools/list"));
    const step = guard.fromServer(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a",${member}}]}}`);
    const message = expect.stringContaining("cannot be read: invalid-definition");
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, error: { message } }]);
  });
});

test("a call that waited is refused where the source of chance gives too few bytes for a question", () => {
  let isShort = false;
  const random = (bytes: number) => new Uint8Array(isShort ? 0 : bytes);
  const { guard, events } = guardOf(FILES, callRules({ read_file: { ask: true } }), { failOpen: true, random });
  const _meta = { ...MODERN, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
  const [own] = sent(guard.fromClient(call(1, "read_file", { path: "a" }, { _meta })), "toServer");
  isShort = true;
  const page = { resultType: "complete", tools: [readFile, countLines], ttlMs: 0, cacheScope: "private" };
  const step = guard.fromServer(result(own?.["id"] ?? null, page));
  expect(step.toServer).toEqual([]);
  expect(sent(step, "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
  expect(events.at(-1)).toMatchObject({ kind: "refused", method: "tools/call", reason: "it could not be judged" });
});

test("spaces behind the name of an id take no time, however many they are", () => {
  const { guard } = guardOf(FILES);
  guard.fromClient(request("a", "ping"));
  const step = guard.fromServer(`{"jsonrpc":"2.0","result":{},"id"${" ".repeat(8_000_000)}:"a"}`);
  expect(step).toMatchObject({ action: "forward", toClient: [{ value: { id: "a", result: {} } }] });
});

describe("a fault of the guard where faults are let through", () => {
  /** Returns a guard whose clock fails on demand, or from the first event of the given kind on. */
  const failing = (from?: GuardEvent["kind"], policy: Parameters<typeof guardOf>[1] = {}) => {
    const seen: GuardEvent[] = [];
    const world = guardOf(FILES, policy, {
      failOpen: true,
      onEvent: (event) => {
        seen.push(event);
        if (event.kind === from) clock.isBroken = true;
      },
      clock: {
        now: () => {
          if (clock.isBroken) throw new Error("no clock");
          return 1;
        },
        after: () => () => undefined,
      },
    });
    const clock = { isBroken: false };
    return { ...world, seen, clock };
  };
  const message = call(1, "read_file", { path: "a" });
  const answer = result(1, { content: [] });

  test("a waiting call passes if the question to a person fails, and so does its answer", () => {
    const ask = () => {
      throw new Error("nobody to ask");
    };
    const { guard, events } = guardOf(FILES, callRules({ read_file: { ask: true } }), { failOpen: true, ask });
    const [own] = sent(guard.fromClient(message), "toServer");
    const step = guard.fromServer(result(own?.["id"] ?? null, { tools: [readFile, countLines] }));
    expect(step).toMatchObject({ toServer: [{ message }], toClient: [] });
    expect(events.at(-1)).toMatchObject({ kind: "fault", outcome: "passed" });
    expect(guard.fromServer(answer)).toMatchObject({ action: "forward", toClient: [{ message: answer }] });
  });

  test("a call passes, and so does its answer", () => {
    const { guard, seen, clock } = failing();
    listTools(guard, [readFile, countLines]);
    clock.isBroken = true;
    expect(guard.fromClient(message)).toMatchObject({ action: "forward", toServer: [{ message }], toClient: [] });
    clock.isBroken = false;
    expect(guard.fromServer(answer)).toMatchObject({ action: "forward", toClient: [{ message: answer }] });
    expect(guard.fromClient(message).action).toBe("forward");
    clock.isBroken = true;
    expect(guard.fromServer(answer).action).toBe("forward");
    clock.isBroken = false;
    // The id is free again, so an answer without a request is refused.
    expect(guard.fromServer(answer).toClient).toEqual([]);
    expect(guard.fromClient(message).action).toBe("forward");
    expect(seen.at(-1)).toMatchObject({ kind: "call", outcome: "passed" });
  });

  test("a waiting call passes, and so does its answer", () => {
    const { guard, clock } = failing("listing");
    const [own] = sent(guard.fromClient(message), "toServer");
    const step = guard.fromServer(result(own?.["id"] ?? null, { tools: [readFile, countLines] }));
    expect(step).toMatchObject({ toServer: [{ message }], toClient: [] });
    clock.isBroken = false;
    expect(guard.fromServer(answer)).toMatchObject({ action: "forward", toClient: [{ message: answer }] });
  });

  test("an answer to the guard itself reaches nobody, and what waited for it is refused", () => {
    const { guard, clock } = failing();
    const [own] = sent(guard.fromClient(message), "toServer");
    clock.isBroken = true;
    const step = guard.fromServer(result(own?.["id"] ?? null, { tools: [readFile], nextCursor: "more" }));
    expect(step.toServer).toEqual([]);
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
  });

  test("what the guard sealed is shown to no server", () => {
    const { guard, clock } = failing(undefined, callRules({ read_file: { ask: true } }));
    const _meta = { ...MODERN, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
    guard.fromClient(request("list", "tools/list", { _meta }));
    guard.fromServer(result("list", { tools: [readFile, countLines] }));
    const [asked] = sent(guard.fromClient(call(1, "read_file", { path: "a" }, { _meta })), "toClient");
    const { requestState } = (asked?.["result"] ?? {}) as JsonObject;
    expect(requestState).toBeTypeOf("string");
    clock.isBroken = true;
    const step = guard.fromClient(call(2, "read_file", { path: "a" }, { _meta, requestState: requestState as string }));
    expect(step).toMatchObject({ toServer: [], toClient: [{ value: { id: 2, result: { isError: true } } }] });
  });
});
