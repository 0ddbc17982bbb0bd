import type { JsonObject } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import {
  call,
  callRules,
  countLines,
  guardOf,
  listTools,
  type policyOf,
  request,
  result,
  sent,
  verified,
} from "./support/world.ts";

describe("calls by the policy", () => {
  test("are denied", () => {
    const { guard, events } = verified(callRules({ read_file: { deny: true } }));
    const step = guard.fromClient(call(1, "read_file", { path: "a" }));
    expect(sent(step, "toClient")).toMatchObject([{ result: { isError: true } }]);
    expect(step.toServer).toEqual([]);
    expect(events.at(-1)).toMatchObject({ outcome: "refused", reason: "the policy denies calls of this tool" });
    expect(guard.fromClient(call(2, "count_lines")).action).toBe("forward");
  });

  test("are held to their arguments", () => {
    const path = { type: "string", "path-within": "/srv/data" };
    const schema = { type: "object", properties: { path }, required: ["path"] };
    const { guard } = verified(callRules({ read_file: { arguments: schema } }));
    expect(guard.fromClient(call(1, "read_file", { path: "/srv/data/a" })).action).toBe("forward");
    expect(guard.fromClient(call(2, "read_file", { path: "/srv/data/../a" })).action).toBe("answer");
    expect(guard.fromClient(call(3, "read_file", { path: "/srv/data/%2e%2e/a" })).action).toBe("answer");
  });

  test("are counted by the minute, and a refused one does not count", () => {
    const { guard, clock } = verified(callRules({ read_file: { maxPerMinute: 2 } }), { recheckMs: 1e9 });
    const actions = () => guard.fromClient(call(clock.time, "read_file", { path: "a" })).action;
    const seen: string[] = [];
    for (const wait of [0, 30_000, 29_999, 1, 1]) {
      clock.advance(wait);
      clock.time++;
      seen.push(actions());
      guard.fromServer(result(clock.time, { content: [] }));
    }
    expect(seen).toEqual(["forward", "forward", "forward", "answer", "answer"]);
    expect(guard.fromClient(call(1, "read_file", { path: 1 })).action).toBe("answer");
  });
});

describe("arguments that cannot be judged", () => {
  const remote = { name: "t", inputSchema: { $ref: "https://schemas.example/a.json" } };
  const formatted = {
    name: "t",
    inputSchema: { type: "object", properties: { url: { type: "string", format: "uri" } } },
  };
  const args = { url: "x:y" };

  test.each([
    [remote, {}, "answer"],
    [remote, { rules: { "guard/arguments-unknown": { guard: "pass" as const } } }, "forward"],
    [formatted, {}, "forward"],
    [formatted, { rules: { "guard/format-unknown": { guard: "block" as const } } }, "answer"],
    [{ name: "t", inputSchema: { type: 5 } }, {}, "answer"],
    [{ name: "t" }, {}, "forward"],
  ])("of %j by %j: %s", (tool, policy, action) => {
    const { guard, events } = guardOf({ tools: [tool as JsonObject] }, policy);
    listTools(guard, [tool as JsonObject]);
    expect(guard.fromClient(call(1, "t", args)).action).toBe(action);
    if (!("inputSchema" in tool)) return;
    expect(events.at(-1)?.findings).toHaveLength(1);
  });

  test("pass without a match if the policy says so, or someone agrees", () => {
    const rule = (guard: "pass" | "ask") => ({ rules: { "guard/arguments-rejected": { guard } } });
    expect(verified(rule("pass")).guard.fromClient(call(1, "read_file", { path: 1 })).action).toBe("forward");
    const asked = verified(rule("ask"), { ask: () => true });
    expect(asked.guard.fromClient(call(1, "read_file", { path: 1 })).action).toBe("forward");
  });

  test("a call without a name, or with a list of arguments, is an invalid request", () => {
    const { guard } = verified({});
    for (const params of [{}, { name: "read_file", arguments: [] }]) {
      expect(sent(guard.fromClient(request(1, "tools/call", params)), "toClient")).toMatchObject([
        { error: { code: -32602 } },
      ]);
    }
  });
});

describe("a result that does not fit the output schema", () => {
  const answer = (policy: Parameters<typeof policyOf>[0], value: JsonObject, tool = countLines) => {
    const { guard, events } = guardOf({ tools: [tool] }, policy);
    listTools(guard, [tool]);
    guard.fromClient(call(1, String(tool["name"])));
    return { step: guard.fromServer(result(1, { content: [], ...value })), event: events.at(-1) };
  };
  const block = (rule: string) => ({ rules: { [rule]: { guard: "block" as const } } });

  test.each([
    [{ structuredContent: { lines: 1 } }, []],
    [{ structuredContent: { lines: "1" } }, ["guard/result-rejected"]],
    [{}, ["guard/result-rejected"]],
    [{ isError: true }, []],
    [{ resultType: "input_required" }, []],
  ])("passes with an event: %j", (value, findings) => {
    const { step, event } = answer({}, value);
    expect([step.action, event?.findings]).toEqual(["forward", findings]);
  });

  test("is refused where the policy says so", () => {
    expect(answer(block("guard/result-rejected"), { structuredContent: {} }).step.action).toBe("answer");
    const remote = { ...countLines, outputSchema: { $ref: "https://schemas.example/a.json" } };
    expect(answer({}, { structuredContent: {} }, remote).event).toMatchObject({
      outcome: "passed",
      findings: ["guard/result-unknown"],
    });
    expect(answer(block("guard/result-unknown"), { structuredContent: {} }, remote).step.action).toBe("answer");
  });
});
