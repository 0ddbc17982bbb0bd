import { sha256Hex } from "@agentprint/canonical-json";
import {
  Agent,
  type AgentOutputItem,
  getCurrentSpan,
  handoff,
  type MCPServer,
  type Model,
  Runner,
  retryPolicies,
  run,
  type Shell,
  setTraceProcessors,
  shellTool,
  tool,
} from "@openai/agents";
import { modelError, ScriptedModel } from "@openai/agents/testing";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { recordingRunner } from "../src/adapters/openai-agents.ts";
import { eventsOf, outlineOf } from "./entries-support.ts";
import { add, agentOf, calls, callsOf, done, never, parameters } from "./openai-models.ts";
import { record, temporaryFolder } from "./support.ts";

setTraceProcessors([]);

const fail = tool({
  name: "fail",
  description: "Fails",
  parameters,
  execute: (): string => {
    throw new RangeError("secret of the tool");
  },
});

test.each([true, false])(
  "each call is recorded once, failing ones too, with tracingDisabled %s",
  async (tracingDisabled) => {
    const events = await eventsOf(async (recorder) => {
      const model = callsOf("add", "fail");
      const agent = new Agent({ name: "a", instructions: "a secret", model, tools: [add, fail] });
      const { finalOutput } = await recordingRunner(recorder, {}, { tracingDisabled }).run(agent, "a secret");
      expect(finalOutput).toBe("done");
    });
    expect(outlineOf(events)).toEqual([
      "model-call",
      "model-result ok",
      "call",
      "call",
      "result ok",
      "result error",
      "model-call",
      "model-result ok",
    ]);
    expect(events[0]?.digests).toMatchObject({ instructions: sha256Hex('"a secret"'), tools: expect.any(String) });
    expect(events[2]).toEqual({ kind: "call", call: "c0", tool: "add", digests: { arguments: sha256Hex('{"n":1}') } });
    expect(events[4]).toMatchObject({ call: "c0", digests: { result: sha256Hex('{"sum":2}') } });
    expect(events[7]?.attributes).toMatchObject({ "gen_ai.response.id": "scripted-response-2" });
    expect(JSON.stringify(events)).not.toMatch(/secret|done/);
  },
);

test("a tool changes the span of its call as without a recorder", async () => {
  const execute = () => Object.assign(getCurrentSpan() ?? {}, { note: "renamed" }) && noteOf(getCurrentSpan());
  const noteOf = (span: object | null) => (span as { note?: string } | null)?.note ?? "no span";
  const rename = tool({ name: "rename", description: "", parameters: z.object({}), execute });
  const agent = new Agent({
    name: "a",
    model: callsOf("rename"),
    tools: [rename],
    toolUseBehavior: "stop_on_first_tool",
  });
  await eventsOf(async (recorder) => {
    expect((await recordingRunner(recorder).run(agent, "Go")).finalOutput).toBe("renamed");
  });
});

test("agents that are handed off to, agents that are tools, and tools of MCP servers are recorded, too", async () => {
  const server = {
    name: "files",
    cacheToolsList: false,
    connect: async () => {},
    close: async () => {},
    invalidateToolsCache: async () => {},
    listTools: async () => [{ name: "read", inputSchema: { type: "object", properties: {}, required: [] } }],
    callTool: async () => [{ type: "text", text: "content" }],
  } as unknown as MCPServer;
  const expert = new Agent({ name: "expert", model: callsOf("add"), tools: [add] });
  const clerk = new Agent({ name: "clerk", model: callsOf("read", "expert"), mcpServers: [server] });
  clerk.tools.push(expert.asTool({}));
  const first = new Agent({ name: "first", model: new ScriptedModel([calls("to_clerk")]) });
  first.handoffs.push(handoff(clerk, { toolNameOverride: "to_clerk" }));
  clerk.tools[0] = expert.asTool({ toolName: "expert", parameters: z.object({ n: z.number() }) });
  const events = await eventsOf(async (recorder) => {
    expect((await recordingRunner(recorder).run(first, "Go")).finalOutput).toBe("done");
  });
  expect(events.filter(({ kind }) => kind === "model-call")).toHaveLength(5);
  const recorded = events.filter(({ kind }) => kind === "call").map(({ tool: name }) => name);
  expect(recorded.sort()).toEqual(["add", "expert", "read"]);
});

test("tries of a model are calls, and a model that fails or is aborted has an end", async () => {
  const events = await eventsOf(async (recorder) => {
    const runner = recordingRunner(recorder);
    const modelSettings = {
      retry: { maxRetries: 1, backoff: { initialDelayMs: 1 }, policy: retryPolicies.networkError() },
    };
    const model = new ScriptedModel([modelError(Object.assign(new Error("busy"), { code: "ECONNRESET" })), done]);
    await runner.run(new Agent({ name: "a", model, modelSettings }), "Go");
    const failing = new Agent({ name: "a", model: new ScriptedModel([modelError(new TypeError("no"))]) });
    await expect(runner.run(failing, "Go")).rejects.toThrow("no");
    const abort = new AbortController();
    const deaf: Model = {
      getResponse: () => {
        abort.abort();
        return Promise.reject(new Error("stopped"));
      },
      getStreamedResponse: () => never(),
    };
    await expect(runner.run(new Agent({ name: "a", model: deaf }), "Go", { signal: abort.signal })).rejects.toThrow();
  });
  const ends = events.filter(({ kind }) => kind === "model-result");
  expect(ends.map(({ outcome }) => outcome)).toEqual(["error", "ok", "error", "cancelled"]);
  expect(new Set(events.map(({ call }) => call)).size).toBe(4);
});

test("tools that throw, are aborted or take too long have one end, and what a guardrail refuses has no start", async () => {
  const slow = { description: "", parameters, execute: () => new Promise<string>(() => {}) };
  const throwing = tool({
    ...slow,
    name: "throwing",
    errorFunction: null,
    execute: () => Promise.reject(new RangeError("no")),
  });
  const late = tool({ ...slow, name: "late", timeoutMs: 1 });
  const refused = tool({
    ...slow,
    name: "refused",
    inputGuardrails: [{ name: "no", run: async () => ({ behavior: { type: "rejectContent", message: "no" } }) }],
  });
  const abort = new AbortController();
  const stopping = tool({
    ...slow,
    name: "stopping",
    execute: (_: unknown, __: unknown, details) =>
      new Promise<string>((_resolve, reject) => {
        details?.signal?.addEventListener("abort", () => reject(details.signal?.reason));
        abort.abort();
      }),
  });
  const events = await eventsOf(async (recorder) => {
    const runner = recordingRunner(recorder);
    await expect(runner.run(agentOf(throwing), "Go")).rejects.toThrow("no");
    await runner.run(agentOf(late), "Go");
    await runner.run(agentOf(refused), "Go");
    await runner.run(agentOf(add), "Go");
    await expect(runner.run(agentOf(stopping), "Go", { signal: abort.signal })).rejects.toThrow();
  });
  const recorded = events.filter(({ kind }) => kind === "result");
  expect(recorded.map(({ tool: name, outcome, code }) => [name, outcome, code])).toEqual([
    ["throwing", "error", "RangeError"],
    ["late", "cancelled", "ToolTimeoutError"],
    ["add", "ok", undefined],
    ["stopping", "cancelled", "AbortError"],
  ]);
});

test("a policy of approval gets the arguments that it gets without a recorder, and an approved call is recorded once", async () => {
  const seen: unknown[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays",
    parameters: z.object({ n: z.number(), unit: z.string().default("cents") }),
    needsApproval: async (_, input) => {
      seen.push(input);
      return true;
    },
    execute: () => "paid",
  });
  const runTwice = async (runner: Runner) => {
    for (const agent of [agentOf(pay), agentOf(pay)]) {
      const paused = await runner.run(agent, "Go");
      for (const item of paused.interruptions) paused.state.approve(item);
      expect((await runner.run(agent, paused.state)).finalOutput).toBe("done");
    }
  };
  await runTwice(new Runner());
  const plain = seen.splice(0);
  const events = await eventsOf((recorder) => runTwice(recordingRunner(recorder)));
  expect(plain[0]).toEqual({ n: 1, unit: "cents" });
  expect(seen).toEqual(plain);
  expect(outlineOf(events.filter(({ kind }) => !kind.startsWith("model")))).toEqual([
    "call",
    "result ok",
    "call",
    "result ok",
  ]);
});

test("a call of an agent that waits for a person is recorded as cancelled, and begins again", async () => {
  const own = tool({ name: "own", description: "", parameters, needsApproval: true, execute: () => "done" });
  const expert = agentOf(own).asTool({ toolName: "expert", parameters });
  const agent = agentOf(expert);
  const events = await eventsOf(async (recorder) => {
    const runner = recordingRunner(recorder);
    const paused = await runner.run(agent, "Go");
    for (const item of paused.interruptions) paused.state.approve(item);
    expect((await runner.run(agent, paused.state)).finalOutput).toBe("done");
  });
  const recorded = events.filter(({ kind }) => !kind.startsWith("model"));
  expect(outlineOf(recorded)).toEqual(["call", "result cancelled", "call", "call", "result ok", "result ok"]);
  expect(recorded.map(({ tool: name }) => name)).toEqual(["expert", "expert", "expert", "own", "own", "expert"]);
  expect(recorded[1]?.reason).toBe("interrupted");
});

test("each run is recorded by its own recorder, and other runs of the same agent by none", async () => {
  const model = new ScriptedModel([calls("add"), done, calls("add"), done, calls("add"), done]);
  const agent = new Agent({ name: "a", model, tools: [add] });
  const own: readonly string[][] = [[], []];
  await Promise.all(
    own.map(async (recorded) => {
      const events = await eventsOf((recorder) => recordingRunner(recorder).run(agent, "Go"));
      recorded.push(...outlineOf(events));
    }),
  );
  await run(agent, "Go");
  const kinds = own.flat().filter((kind) => !kind.startsWith("model-result"));
  expect(kinds.filter((kind) => kind === "model-call")).toHaveLength(4);
  expect(kinds.filter((kind) => kind === "call")).toHaveLength(2);
});

test("models by name are recorded with it, those of a runner, and contents where they are wanted", async () => {
  const events = await eventsOf(async (recorder) => {
    const providers = [() => new ScriptedModel([done]), async () => new ScriptedModel([done])];
    for (const getModel of providers) {
      const runner = recordingRunner(recorder, { contents: true }, { modelProvider: { getModel } });
      await runner.run(new Agent({ name: "a", model: "large" }), "Go");
      await runner.run(new Agent({ name: "a", model: "large" }), "Go");
    }
    await recordingRunner(recorder, {}, { model: new ScriptedModel([done]) }).run(new Agent({ name: "a" }), "Go");
  });
  const started = events.filter(({ kind }) => kind === "model-call");
  expect(started.map(({ attributes }) => attributes?.["gen_ai.request.model"])).toEqual([
    ...Array(4).fill("large"),
    undefined,
  ]);
  expect(started[0]?.attributes).toMatchObject({ "gen_ai.input.messages": expect.stringContaining("Go") });
  expect(events[1]?.attributes).toMatchObject({ "gen_ai.output.messages": expect.stringContaining("done") });
});

test("onError is called for what cannot be recorded: a frozen model or tool, a foreign agent, and a tool that is no function", async () => {
  const shell: Shell = { run: async () => ({ output: [] }) };
  const asked: AgentOutputItem = { type: "shell_call", callId: "s1", action: { commands: ["ls"] } };
  const events = await eventsOf(async (recorder) => {
    const runner = recordingRunner(recorder);
    const frozen = Object.freeze({ getResponse: never, getStreamedResponse: never });
    const refused = expect.objectContaining({ code: "unsupported" });
    await expect(runner.run(new Agent({ name: "a", model: frozen }), "Go")).rejects.toEqual(refused);
    await expect(runner.run({ name: "foreign" } as never, "Go")).rejects.toEqual(refused);
    await expect(runner.run(agentOf(Object.freeze({ ...add })), "Go")).rejects.toMatchObject({ error: refused });
    const model = new ScriptedModel([[asked], done]);
    await runner.run(new Agent({ name: "a", model, tools: [shellTool({ shell })] }), "Go");
  });
  expect(outlineOf(events.filter(({ kind }) => !kind.startsWith("model")))).toEqual(["fault"]);
});

test("with a closed recorder calls go on, and in mode `before` they are not made", async () => {
  const execute = vi.fn(() => "done");
  const own = tool({ name: "own", description: "", parameters, execute });
  const onError = () => {};
  const behind = await record({ store: temporaryFolder() });
  await behind.close();
  await recordingRunner(behind, { onError }).run(agentOf(own), "Go");
  expect(execute).toHaveBeenCalledTimes(1);
  const before = await record({ store: temporaryFolder(), mode: "before" });
  const runner = recordingRunner(before, { onError });
  runner.on("agent_tool_start", () => before.close());
  await expect(runner.run(agentOf(own), "Go")).rejects.toMatchObject({ error: { code: "closed" } });
  await expect(runner.run(agentOf(own), "Go")).rejects.toMatchObject({ code: "closed" });
  expect(execute).toHaveBeenCalledTimes(1);
});

test("a call that is aborted while its start is recorded is not made", async () => {
  const execute = vi.fn(() => "done");
  const own = tool({ name: "own", description: "", parameters, execute });
  const events = await eventsOf(
    async (recorder) => {
      const abort = new AbortController();
      const runner = recordingRunner(recorder);
      runner.on("agent_tool_start", () => queueMicrotask(() => abort.abort()));
      await expect(runner.run(agentOf(own), "Go", { signal: abort.signal })).rejects.toThrow();
    },
    { mode: "before" },
  );
  expect(execute).not.toHaveBeenCalled();
  expect(outlineOf(events.filter(({ kind }) => !kind.startsWith("model")))).toEqual(["call", "result cancelled"]);
});
