import type { JsonObject } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { GuardError } from "../src/index.ts";
import {
  call,
  FILES,
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

const WITHHOLD = { results: { screen: "withhold" } } as never;
const CHANGED = lockOf({ tools: [{ ...readFile, description: "Reads another file" }] });

test("the message of an error writes nothing to a terminal, and its cause is kept", () => {
  const cause = new Error("why");
  const error = new GuardError("not-locked", "a\u001b[2Jb", { cause });
  expect(error.message).not.toContain("\u001b");
  expect(error.cause).toBe(cause);
});

test("a refusal of the transport is an event with the rules and the reason", () => {
  const { guard, events } = guardOf(FILES);
  guard.refused(["auth/issuer-changed"], "the login has moved");
  expect(events).toMatchObject([
    {
      kind: "refused",
      from: "guard",
      outcome: "refused",
      findings: ["auth/issuer-changed"],
      reason: "the login has moved",
    },
  ]);
});

describe("notifications of changed lists", () => {
  /** Returns the notifications that a client receives when the lock is replaced. */
  function heard(capabilities: JsonObject, notifications: JsonObject): (readonly [string, unknown])[] {
    const { guard, later } = guardOf(FILES);
    guard.fromClient(request(1, "initialize", { capabilities: {} }));
    guard.fromServer(result(1, initializeResult({ ...FILES, capabilities })));
    guard.fromClient(request(2, "subscriptions/listen", { _meta: MODERN, notifications }));
    guard.replaceLock(CHANGED, policyOf({}));
    const messages = later.flatMap((step) => sent(step, "toClient"));
    return messages.map(
      ({ method, params }) => [String(method), (params as JsonObject | undefined)?.["_meta"]] as const,
    );
  }

  const TOOLS = "notifications/tools/list_changed";
  const ID = { "io.modelcontextprotocol/subscriptionId": 2 };

  test.each([
    [{ tools: { listChanged: true } }, { promptsListChanged: true }, [[TOOLS, undefined]]],
    [{ tools: {} }, { promptsListChanged: false, toolsListChanged: true }, [[TOOLS, ID]]],
    [{ tools: { listChanged: false } }, { toolsListChanged: "yes" }, []],
    [{ tools: true }, {}, []],
  ] as const)("hears exactly who asked: %j, %j", (capabilities, notifications, expected) => {
    const all = heard(capabilities as never, notifications as never);
    expect(all.filter(([method]) => method === TOOLS)).toEqual(expected);
  });
});

describe("text that hides something and is in the lock", () => {
  const tool = {
    name: "read\u200bfile",
    description: "seen\u200bhidden",
    inputSchema: { type: "object", properties: { "na\u200bme": { type: "string" }, url: { const: "a\u200bb" } } },
  };

  test("is shown as it is locked: texts, names of members, identifiers", () => {
    const { guard } = guardOf({ tools: [tool] }, WITHHOLD);
    expect(shown(listTools(guard, [tool]))).toEqual([tool]);
    expect(guard.shown({ "na\u200bme": 1, uri: "a\u200bb", said: "seen\u200bhidden" })).toEqual({
      "na\u200bme": 1,
      uri: "a\u200bb",
      said: "seen\u200bhidden",
    });
  });

  test("is another one elsewhere", () => {
    const { guard } = guardOf({ tools: [tool] }, WITHHOLD);
    expect(guard.shown({ said: "seen\u200bhidden, too" })).toEqual({ said: expect.stringContaining("Withheld") });
    expect(guard.shown({ uri: "a\u200bc" })).toBeUndefined();
    expect(guard.shown({ "other\u200bname": 1 })).toBeUndefined();
  });
});

test("a task that the policy makes fail is cancelled once, and in a dry run never", () => {
  const task = { taskId: "t", status: "input_required", createdAt: "2026-11-26T00:00:00Z", ttlMs: null };
  const inputRequests = { a: { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } } };
  const notification = JSON.stringify({
    jsonrpc: "2.0",
    method: "notifications/tasks",
    params: { ...task, lastUpdatedAt: "2026-11-26T00:00:00Z", inputRequests },
  });
  const cancels = (dryRun: boolean): JsonObject[] => {
    const { guard } = guardOf(FILES, { rules: { "guard/sampling-request": { guard: "block" } } } as never, { dryRun });
    const listen = { notifications: { taskIds: ["t"] }, _meta: { ...MODERN, tenant: 1 } };
    guard.fromClient(request(1, "tools/list", { _meta: { ...MODERN, tenant: 2 } }));
    guard.fromClient(request(2, "subscriptions/listen", listen));
    const steps = [guard.fromServer(notification), guard.fromServer(notification)];
    return steps.flatMap((step) => sent(step, "toServer"));
  };
  // The cancellation has the metadata of the client's subscription request, not of any other request.
  expect(cancels(false)).toMatchObject([{ method: "tasks/cancel", params: { taskId: "t", _meta: { tenant: 1 } } }]);
  expect(cancels(true)).toEqual([]);
});

describe("an event names", () => {
  test("the tool of a result", () => {
    const { guard, events } = guardOf(FILES);
    listTools(guard, FILES.tools ?? []);
    guard.fromClient(call(1, "read_file", { path: "a" }));
    guard.fromServer(result(1, { content: [] }));
    expect(events.at(-1)).toMatchObject({ kind: "result", tool: "read_file" });
  });

  test("a notification that was changed", () => {
    const { guard, events } = guardOf(FILES, { rules: { "guard/sampling-request": { guard: "block" } } } as never);
    const params = {
      taskId: "t",
      status: "input_required",
      inputRequests: { a: { method: "sampling/createMessage", params: {} } },
    };
    guard.fromServer(JSON.stringify({ jsonrpc: "2.0", method: "notifications/tasks", params }));
    expect(events.at(-1)).toMatchObject({ method: "notifications/tasks", outcome: "changed" });
  });
});

test("a batch may have as many messages as the limit says", () => {
  const batchOf = (length: number): string =>
    JSON.stringify(Array.from({ length }, (_, id) => ({ jsonrpc: "2.0", id: `b${length}${id}`, method: "ping" })));
  const { guard } = guardOf(FILES, {}, { limits: { batch: 2 } });
  guard.fromClient(request(0, "initialize", { protocolVersion: "2025-03-26", capabilities: {} }));
  guard.fromServer(result(0, { ...initializeResult(FILES), protocolVersion: "2025-03-26" }));
  expect(guard.fromClient(batchOf(2)).toServer).not.toEqual([]);
  expect(guard.fromClient(batchOf(3)).toServer).toEqual([]);
});
