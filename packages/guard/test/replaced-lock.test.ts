import type { JsonObject } from "@agentprint/canonical-json";
import type { LockFile } from "@agentprint/mcp-lock";
import { describe, expect, test } from "vitest";
import {
  call,
  callRules,
  countLines,
  FILES,
  initializeResult,
  listTools,
  lockOf,
  policyOf,
  readFile,
  request,
  result,
  sent,
  shown,
  verified,
} from "./support/world.ts";

const NONE: LockFile = { lockVersion: 2, servers: [] };
const CHANGED = { ...readFile, description: "Reads another file" };
const REFUSED = { error: { code: -31403, message: "Refused by the guard: the lock has no entry for the server" } };

function greet(guard: ReturnType<typeof verified>["guard"], capabilities: JsonObject = {}): void {
  guard.fromClient(request("i", "initialize", { capabilities }));
  guard.fromServer(result("i", initializeResult(FILES)));
  listTools(guard, [readFile, countLines]);
}

describe("without an entry in the lock", () => {
  test("everything is refused, from both sides, until there is one", () => {
    const { guard, events, later } = verified();
    guard.fromClient(call(1, "read_file", { path: "a" }));
    guard.replaceLock(NONE, policyOf({}));
    expect(events.at(-1)).toMatchObject({ kind: "replaced" });
    expect(later).toEqual([]);
    const refusedCall = { id: 2, result: { isError: true } };
    expect(sent(guard.fromClient(call(2, "read_file", { path: "a" })), "toClient")).toMatchObject([refusedCall]);
    for (const method of ["initialize", "tools/list", "ping", "unknown"]) {
      const step = guard.fromClient(request(3, method));
      expect(step.toServer).toEqual([]);
      expect(sent(step, "toClient")).toMatchObject([{ id: 3, ...REFUSED }]);
    }
    expect(events.at(-1)).toMatchObject({ kind: "refused", outcome: "refused", from: "client" });
    const nothing = { toServer: [], toClient: [] };
    expect(guard.fromClient('{"jsonrpc":"2.0","method":"notifications/x"}')).toMatchObject(nothing);
    expect(guard.fromServer('{"jsonrpc":"2.0","method":"notifications/x"}')).toMatchObject(nothing);
    expect(guard.fromServer("no JSON")).toMatchObject(nothing);
    const asked = guard.fromServer(request("s", "roots/list"));
    expect([sent(asked, "toServer"), asked.toClient]).toMatchObject([[{ id: "s", error: {} }], []]);
    // An earlier request gets an answer that contains no data from the server.
    const late = guard.fromServer(result(1, { content: [{ type: "text", text: "late" }] }));
    expect(sent(late, "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
    expect(JSON.stringify(sent(late, "toClient"))).not.toContain('"late"');

    guard.replaceLock(lockOf(FILES), policyOf({}));
    listTools(guard, [readFile, countLines]);
    expect(guard.fromClient(call(4, "read_file", { path: "a" })).action).toBe("forward");
  });

  test("held requests are refused at once, and their listing ends", () => {
    const { guard, clock, later } = verified({}, { recheckMs: 0 });
    const [own] = sent(guard.fromClient(call(1, "read_file", { path: "a" })), "toServer");
    expect(clock.waiting).toBe(1);
    guard.replaceLock(NONE, policyOf({}));
    expect(later.map((step) => sent(step, "toClient"))).toMatchObject([[{ id: 1, result: { isError: true } }]]);
    expect(clock.waiting).toBe(0);
    const listed = guard.fromServer(result(own?.["id"] ?? null, { tools: [readFile, countLines] }));
    expect(listed).toMatchObject({ toServer: [], toClient: [] });
  });

  test("a dry run refuses nothing, and reports each refusal that it would make", () => {
    const { guard, events } = verified({}, { dryRun: true });
    guard.replaceLock(NONE, policyOf({}));
    expect(guard.fromClient(call(1, "read_file", { path: "a" })).action).toBe("forward");
    expect(events.at(-1)).toMatchObject({ kind: "refused", outcome: "refused" });
  });
});

describe("a lock that is replaced", () => {
  test("decides about the answer to an earlier request", () => {
    const { guard } = verified();
    guard.fromClient(request(1, "tools/list"));
    guard.replaceLock(lockOf({ tools: [readFile] }), policyOf({ preset: "compatible" }));
    const page = guard.fromServer(result(1, { tools: [readFile, countLines] }));
    expect(shown(page)).toEqual([readFile]);
    // The page verifies nothing, because the lock changed between the request and the answer.
    expect(guard.fromClient(call(2, "read_file", { path: "a" })).action).toBe("hold");
  });

  test("judges a page by itself in the middle of a reading by the old lock", () => {
    const { guard } = verified();
    guard.fromClient(request(1, "tools/list"));
    guard.fromServer(result(1, { tools: [readFile], nextCursor: "2" }));
    guard.fromClient(request(2, "tools/list", { cursor: "2" }));
    guard.replaceLock(lockOf({ tools: [readFile] }), policyOf({ preset: "compatible" }));
    expect(shown(guard.fromServer(result(2, { tools: [countLines] })))).toEqual([]);
    expect(guard.fromClient(call(3, "read_file", { path: "a" })).action).toBe("hold");
  });

  test("with the same entry and policy keeps what was verified, and no client hears of it", () => {
    const { guard, later, events } = verified();
    greet(guard);
    guard.replaceLock(structuredClone(lockOf(FILES)), policyOf({}));
    expect(later).toEqual([]);
    expect(events.at(-1)).toMatchObject({ kind: "replaced" });
    expect(guard.fromClient(call(1, "read_file", { path: "a" })).action).toBe("forward");
  });

  test("with other names forgets findings, because a text may name one of them", () => {
    const lock = lockOf(FILES);
    const [entry] = lock.servers;
    if (entry === undefined) throw new Error("expected an entry");
    const more = { ...lock, servers: [...lock.servers, { ...entry, name: "other" }] };
    const { guard } = verified();
    guard.replaceLock(more, policyOf({}));
    expect(guard.fromClient(call(1, "read_file", { path: "a" })).action).toBe("forward");
    listTools(guard, [CHANGED, countLines]);
    guard.replaceLock(lock, policyOf({}));
    expect(guard.fromClient(call(2, "count_lines")).action).toBe("hold");
    // Names in the old lock verify nothing while a list is being read.
    const second = verified({ preset: "compatible" }).guard;
    second.fromClient(request(1, "tools/list"));
    second.fromServer(result(1, { tools: [CHANGED], nextCursor: "2" }));
    second.fromClient(request(2, "tools/list", { cursor: "2" }));
    second.replaceLock(more, policyOf({ preset: "compatible" }));
    second.fromServer(result(2, { tools: [countLines] }));
    second.fromClient(request(3, "tools/list"));
    second.replaceLock(lock, policyOf({ preset: "compatible" }));
    second.fromServer(result(3, { tools: [readFile, countLines] }));
    expect(second.fromClient(call(4, "count_lines")).action).toBe("hold");
  });
});

describe("an agreement that took some time", () => {
  const asks = callRules({ read_file: { ask: true } });
  function asked(options = {}) {
    const world = verified(asks, options);
    greet(world.guard, { elicitation: {} });
    const [question] = sent(world.guard.fromClient(call(1, "read_file", { path: "a" })), "toClient");
    const agree = () =>
      world.guard.fromClient(result(question?.["id"] ?? null, { action: "accept", content: { allow: true } }));
    return { ...world, agree };
  }

  test("lets a call go on that is still allowed", () => {
    const { agree } = asked();
    expect(sent(agree(), "toServer")).toMatchObject([{ id: 1, method: "tools/call" }]);
  });

  test("allows nothing that the lock in force does not", () => {
    const { guard, agree } = asked();
    guard.replaceLock(lockOf({ tools: [CHANGED, countLines] }), policyOf(asks));
    const [own] = sent(agree(), "toServer");
    expect(own).toMatchObject({ method: "tools/list" });
    const step = guard.fromServer(result(own?.["id"] ?? null, { tools: [readFile, countLines] }));
    expect(step.toServer).toEqual([]);
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, result: { isError: true } }]);
  });

  test("counts for the list at the time of the agreement", () => {
    const { guard, agree } = asked();
    guard.fromServer('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    const [own] = sent(agree(), "toServer");
    const step = guard.fromServer(result(own?.["id"] ?? null, { tools: [readFile, countLines] }));
    expect(sent(step, "toServer")).toMatchObject([{ id: 1, method: "tools/call" }]);
  });
});
