import { hashCanonical, sha256Hex } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { createGuard, type GuardEvent } from "../src/index.ts";
import { systemClock } from "../src/settings.ts";
import {
  call,
  callRules,
  countLines,
  FILES,
  guardOf,
  listTools,
  lockOf,
  MODERN,
  policyOf,
  readFile,
  request,
  result,
  sent,
  verified,
} from "./support/world.ts";

describe("messages that the guard does not judge", () => {
  test("pass unchanged, with an event", () => {
    const { guard, events } = verified();
    for (const message of [request(1, "x/unknown", { a: 1 }), '{"jsonrpc":"2.0","method":"notifications/x"}']) {
      expect(guard.fromClient(message).toServer[0]?.message).toBe(message);
      expect(events.at(-1)).toMatchObject({ kind: "passed", from: "client" });
    }
    const answer = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}';
    expect(guard.fromServer(answer).toClient[0]?.message).toBe(answer);
    const unreadable = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}';
    expect(guard.fromServer(unreadable).action).toBe("forward");
    for (const message of [
      request("s", "ping"),
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}',
    ]) {
      expect(guard.fromServer(message).toClient[0]?.message).toBe(message);
    }
    expect(guard.fromClient(result("s", {})).action).toBe("forward");
    expect(
      guard.fromServer('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s"}}').action,
    ).toBe("answer");
    guard.fromServer(request("t", "ping"));
    expect(
      guard.fromServer('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"t"}}').action,
    ).toBe("forward");
    expect(guard.fromServer('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}').action).toBe("answer");
  });

  test("are limited at a time", () => {
    const { guard } = verified({}, { limits: { pending: 1 } });
    expect(guard.fromClient(request(1, "x/y")).action).toBe("forward");
    expect(sent(guard.fromClient(request(2, "x/y")), "toClient")).toMatchObject([{ id: 2, error: { code: -31403 } }]);
    expect(guard.fromServer(request(1, "ping")).action).toBe("forward");
    expect(sent(guard.fromServer(request(2, "ping")), "toServer")).toMatchObject([{ id: 2, error: { code: -31403 } }]);
  });
});

test("calls that were cancelled and never answered leave room for others", () => {
  const { guard } = guardOf({}, {}, { limits: { pending: 2 } });
  const cancel = (id: number) =>
    guard.fromClient(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } }));
  for (const id of [1, 2]) guard.fromClient(request(id, "ping"));
  expect(guard.fromClient(request(3, "ping")).action).toBe("answer");
  for (const id of [1, 2]) cancel(id);
  expect(guard.fromServer(result(2, {})).action).toBe("forward");
  for (const id of [4, 5]) expect(guard.fromClient(request(id, "ping")).action).toBe("forward");
  expect(guard.fromServer(result(1, {})).action).toBe("answer");
  expect(guard.fromClient(request(6, "ping")).action).toBe("answer");
});

test("a cancellation of a call that the server works on goes on, and so does what the client listens to no more", () => {
  const { guard, later } = verified();
  guard.fromClient(call(1, "read_file", { path: "a" }));
  guard.fromClient(request(2, "subscriptions/listen", { _meta: MODERN, notifications: { toolsListChanged: true } }));
  for (const id of [1, 2]) {
    const cancelled = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    expect(guard.fromClient(cancelled).action).toBe("forward");
  }
  expect(
    guard.fromClient('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}').action,
  ).toBe("forward");
  guard.replaceLock(lockOf({ tools: [readFile] }), policyOf({}));
  expect(later).toEqual([]);
  guard.fromClient(request(3, "subscriptions/listen", { _meta: MODERN, notifications: { toolsListChanged: true } }));
  guard.fromServer(result(3, { resultType: "complete" }));
  guard.replaceLock(lockOf(FILES), policyOf({}));
  expect(later).toEqual([]);
});

describe("parsed values", () => {
  test("pass as the same objects, and the guard's own messages are objects", () => {
    const { guard } = verified();
    const message = JSON.parse(call(1, "read_file", { path: "a" }));
    expect(guard.fromClient(message).toServer[0]?.message).toBe(message);
    const answer = JSON.parse(result(1, { content: [] }));
    expect(guard.fromServer(answer).toClient[0]?.message).toBe(answer);
    const [refused] = guard.fromClient(JSON.parse(call(2, "evil"))).toClient;
    expect(refused?.message).toEqual(refused?.value);
    listTools(guard, [readFile, countLines]);
    guard.fromClient(JSON.parse(request("l", "tools/list")));
    expect(guard.fromServer(JSON.parse(result("l", { tools: [readFile] }))).action).toBe("forward");
    expect(guard.fromServer(result("nobody", {})).action).toBe("answer");
  });
});

describe("a dry run", () => {
  test("decides and reports, but changes nothing", () => {
    const { guard, events } = guardOf(FILES, {}, { dryRun: true });
    const held = call(0, "read_file", { path: "a" });
    expect(guard.fromClient(held)).toMatchObject({ action: "forward", toServer: [{ message: held }], toClient: [] });
    expect(events.at(-1)).toMatchObject({ kind: "call", outcome: "refused" });
    const drifted = result("list", { tools: [{ ...readFile, description: "Other" }] });
    guard.fromClient(request("list", "tools/list"));
    expect(guard.fromServer(drifted).toClient.map((out) => out.message)).toEqual([drifted]);
    expect(events.at(-1)).toMatchObject({ kind: "listing", outcome: "changed" });
    for (const message of [
      call(1, "read_file", { path: "a" }),
      call(2, "evil"),
      "no JSON",
      JSON.parse(call(3, "evil")),
    ]) {
      expect(guard.fromClient(message)).toMatchObject({ action: "forward", toServer: [{ message }], toClient: [] });
      expect(events.at(-1)).toMatchObject({ outcome: "refused" });
    }
    expect(guard.fromServer(result(1, { content: [] })).action).toBe("forward");
    expect(events.at(-1)).toMatchObject({ kind: "result" });
  });
});

describe("tasks", () => {
  const TASK = { task: { taskId: "t1", status: "working", ttl: null, createdAt: "", lastUpdatedAt: "" } };

  test("of the old era answer later, and their results are judged against the definition of their tool", () => {
    const { guard, events } = verified();
    guard.fromClient(call(1, "count_lines", {}, { task: { ttl: 1000 } }));
    expect(guard.fromServer(result(1, TASK)).action).toBe("forward");
    expect(events.at(-1)).toMatchObject({ findings: [] });
    guard.fromClient(request(2, "tasks/result", { taskId: "t1" }));
    guard.fromServer(result(2, { content: [], structuredContent: { lines: "x" } }));
    expect(events.at(-1)).toMatchObject({ kind: "result", tool: "count_lines", findings: ["guard/result-rejected"] });
  });

  test("of the new era answer in the polled result", () => {
    const { guard, events } = verified();
    guard.fromClient(call(1, "count_lines"));
    expect(guard.fromServer(result(1, { resultType: "task", taskId: "t2", status: "working" })).action).toBe("forward");
    guard.fromClient(request(2, "tasks/get", { taskId: "t2" }));
    guard.fromServer(
      result(2, {
        resultType: "complete",
        taskId: "t2",
        status: "completed",
        result: { content: [], structuredContent: {} },
      }),
    );
    expect(events.at(-1)).toMatchObject({ tool: "count_lines", findings: ["guard/result-rejected"] });
  });

  const polled = { resultType: "complete", status: "completed", result: { content: [], structuredContent: {} } };

  test("are known to each connection of one client with one process, and to no other client", () => {
    const { guard, events } = guardOf(FILES);
    const one = { peer: "process 1", authorization: "one" };
    const [first, second] = [guard.connect(one), guard.connect(one)];
    const others = [
      guard.connect({ ...one, authorization: "other" }),
      guard.connect({ ...one, session: () => "s" }),
      guard.connect({ ...one, peer: "process 2" }),
      guard.connect({ authorization: "one" }),
      guard,
    ];
    listTools(first, [readFile, countLines]);
    first.fromClient(call(1, "count_lines", {}, MODERN));
    first.fromServer(result(1, { resultType: "task", taskId: "t", status: "working" }));
    second.fromClient(request(1, "tasks/get", { taskId: "t", ...MODERN }));
    second.fromServer(result(1, { ...polled, taskId: "t" }));
    expect(events.at(-1)).toMatchObject({ tool: "count_lines", findings: ["guard/result-rejected"] });
    for (const other of others) {
      other.fromClient(request(1, "tasks/get", { taskId: "t", ...MODERN }));
      other.fromServer(result(1, { ...polled, taskId: "t" }));
      expect(events.at(-1)).toMatchObject({ findings: ["guard/result-unknown"] });
    }
  });

  test("are limited: the result of a forgotten one cannot be judged", () => {
    const { guard, events } = verified({}, { limits: { pending: 2 } });
    const poll = (id: number, taskId: string, polling: object) => {
      guard.fromClient(request(id, "tasks/get", { taskId }));
      guard.fromServer(result(id, { ...polling, taskId }));
      return events.at(-1)?.findings;
    };
    for (const id of [1, 2, 3]) {
      guard.fromClient(call(id, "count_lines"));
      guard.fromServer(result(id, { resultType: "task", taskId: `t${id}`, status: "working" }));
    }
    expect(poll(4, "t1", { resultType: "complete", status: "working" })).toEqual([]);
    expect(poll(5, "t1", polled)).toEqual(["guard/result-unknown"]);
    expect(poll(6, "t1", { ...polled, result: { content: [], isError: true } })).toEqual([]);
    for (const [id, task] of [
      [7, "t2"],
      [8, "t3"],
    ] as const)
      expect(poll(id, task, polled)).toEqual(["guard/result-rejected"]);
  });

  test("that are refused have an error, because no task was made", () => {
    const { guard } = verified(callRules({ count_lines: { deny: true } }));
    const step = guard.fromClient(call(1, "count_lines", {}, { task: {} }));
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, error: { code: -31403 } }]);
  });
});

test("events hold digests, and texts only in their contents", () => {
  const { guard, events } = verified();
  const args = { path: "very secret" };
  guard.fromClient(call(1, "read_file", args));
  const answer = result(1, { content: [{ type: "text", text: "more secret" }] });
  guard.fromServer(answer);
  const [called, answered] = events.slice(-2);
  expect(called?.digests.arguments).toBe(hashCanonical(args));
  expect(called?.digests.tool).toBe(hashCanonical(readFile));
  expect(called?.digests.result).toBeUndefined();
  expect(called?.digests.lock).toBe(lockOf(FILES).servers[0]?.digest);
  expect(answered?.digests.result).toBe(sha256Hex(answer));
  expect(answered?.digests.arguments).toBeUndefined();
  expect(called?.contents).toMatchObject({ arguments: '{"path":"very secret"}', result: undefined });
  expect(answered?.contents).toMatchObject({ arguments: undefined, result: answer });
  expect(called?.correlation).toBe(answered?.correlation);
  expect(JSON.stringify(events)).not.toContain("secret");
  guard.fromClient(JSON.parse(call(2, "read_file", args)));
  guard.fromServer(JSON.parse(answer.replace('"id":1', '"id":2')));
  const { digests, contents } = events.at(-1) as GuardEvent;
  expect(sha256Hex(contents.result ?? "")).toBe(digests.result);
  guard.fromClient(call(3, "read_file", args));
  guard.fromServer(Buffer.from(answer.replace('"id":1', '"id":3')));
  expect(events.at(-1)?.contents.result).toBe(answer.replace('"id":1', '"id":3'));
});

test("a digest is computed once", () => {
  const { guard, events } = verified();
  const message = JSON.parse(call(1, "read_file", { path: "a" }));
  guard.fromClient(message);
  const answer = JSON.parse(result(1, { content: [] }));
  guard.fromServer(answer);
  const digests = events.slice(-2).map((event) => event.digests);
  const first = digests.map((each) => [each.arguments, each.result]);
  message.params.arguments.path = "b";
  answer.result.content.push({});
  expect(digests.map((each) => [each.arguments, each.result])).toEqual(first);
});

test("options out of range are refused", () => {
  const options = { lock: lockOf(FILES), server: "files", policy: policyOf({}) };
  expect(() => createGuard({ ...options, recheckMs: Number.NaN })).toThrow("recheckMs");
  expect(createGuard(options).fromClient(request(1, "ping")).action).toBe("forward");
});

test("the machine's clock advances, and keeps no process alive", async () => {
  const before = systemClock.now();
  await new Promise<void>((resolve) => {
    const stop = systemClock.after(1, () => resolve());
    expect(stop).toBeTypeOf("function");
  });
  systemClock.after(1, () => expect.unreachable())();
  expect(systemClock.now()).toBeGreaterThan(before);
});

test("an id that is echoed as text is an answer over stdio only", () => {
  const page = (id: string | number): string => JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [readFile] } });
  for (const [isStdio, count] of [
    [true, 1],
    [false, 0],
  ] as const) {
    const { guard } = guardOf({ tools: [readFile] });
    const connection = guard.connect({ isStdio });
    connection.fromClient(request(1, "tools/list", {}));
    expect(connection.fromServer(page("1")).toClient).toHaveLength(count);
    expect(connection.fromServer(page(1)).toClient).toHaveLength(1 - count);
  }
});
