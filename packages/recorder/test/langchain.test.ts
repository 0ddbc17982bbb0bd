import { sha256Hex } from "@agentprint/canonical-json";
import { CallbackManager } from "@langchain/core/callbacks/manager";
import { FakeListChatModel, FakeLLM } from "@langchain/core/utils/testing";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { type AgentMiddleware, AIMessage, createAgent, fakeModel, tool, toolRetryMiddleware } from "langchain";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { recordingCallbacks } from "../src/adapters/langchain.ts";
import type { Recorder } from "../src/index.ts";
import { eventsOf, OUTLINE_OF_ONE_TOOL_THAT_FAILS, outlineOf } from "./entries-support.ts";
import { collect, record, temporaryFolder } from "./support.ts";

const schema = z.object({ n: z.number() });
const add = tool(({ n }) => `sum ${n + 1}`, { name: "add", description: "Adds one", schema });
const fail = tool(
  (): string => {
    throw new RangeError("secret of the tool");
  },
  { name: "fail", description: "Fails", schema },
);
const calls = (...names: readonly string[]) => names.map((name, index) => ({ name, args: { n: 1 }, id: `c${index}` }));
const config = (recorder: Recorder) => ({ callbacks: [recordingCallbacks(recorder)] });

test("each call of an agent is recorded once, parallel and failing ones too, and the agent gives what it gave", async () => {
  const run = (callbacks: object) => {
    const model = fakeModel().respondWithTools(calls("add", "fail")).respondWithTools([]);
    return createAgent({ model, tools: [add, fail] })
      .withConfig(callbacks)
      .invoke({ messages: "a secret" });
  };
  const plain = await run({});
  const events = await eventsOf(async (recorder) => {
    const { messages } = await run(config(recorder));
    expect(messages.map(({ content }) => content)).toEqual(plain.messages.map(({ content }) => content));
  });
  expect(outlineOf(events).sort()).toEqual(OUTLINE_OF_ONE_TOOL_THAT_FAILS);
  expect(events.find(({ kind, tool: name }) => kind === "call" && name === "add")).toMatchObject({
    call: "c0",
    digests: { arguments: sha256Hex('{"n":1}') },
    attributes: { "langchain.run_id": expect.any(String) },
  });
  expect(events.find(({ kind, tool: name }) => kind === "result" && name === "add")).toMatchObject({
    call: "c0",
    digests: { result: sha256Hex('"sum 2"') },
  });
  expect(events.find(({ kind, tool: name }) => kind === "result" && name === "fail")).toMatchObject({
    code: "RangeError",
  });
  expect(JSON.stringify(events)).not.toMatch(/secret|sum 2/);
});

test("models are recorded whole, in parts, failing, aborted, and without messages", async () => {
  const chat = new FakeListChatModel({ responses: ["one", "two"] });
  const events = await eventsOf(async (recorder) => {
    const options = config(recorder);
    await chat.invoke("Go", options);
    expect(await collect(await chat.stream("Go", options))).toHaveLength(3);
    await expect(fakeModel().respond(new TypeError("no")).invoke("Go", options)).rejects.toThrow("no");
    const abort = new AbortController();
    const slow = new FakeListChatModel({ responses: ["three"], sleep: 5 });
    const aborted = slow.stream("Go", { ...options, signal: abort.signal }).then(async (stream) => {
      for await (const _ of stream) abort.abort();
    });
    await expect(aborted).rejects.toThrow();
    await new FakeLLM({ response: "text" }).invoke("Go", options);
  });
  const ends = events.filter(({ kind }) => kind === "model-result");
  // Callbacks are not notified when a stream is aborted, so its call ends with the session.
  expect(ends.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "error", "ok", "cancelled"]);
  expect(ends[3]).toMatchObject({ digests: { result: sha256Hex('"text"') } });
});

test("the tools offered to a model and those it used are recorded with its call", async () => {
  const usage = { input_tokens: 3, output_tokens: 5, total_tokens: 8 };
  const events = await eventsOf(async (recorder) => {
    const manager = new CallbackManager();
    manager.addHandler(recordingCallbacks(recorder));
    const extra = { invocation_params: { tools: [{ name: "add" }] } };
    const model = { lc: 1, type: "not_implemented" as const, id: ["own"] };
    const [run] = await manager.handleChatModelStart(model, [[]], undefined, undefined, extra);
    const message = new AIMessage({ content: "done", id: "m1", usage_metadata: usage } as never);
    await run?.handleLLMEnd({ generations: [[{ text: "done", message } as never]] });
    const [empty] = await manager.handleChatModelStart(model, [[]]);
    await empty?.handleLLMEnd({ generations: [] });
  });
  expect(events[0]?.digests).toMatchObject({ tools: sha256Hex('[{"name":"add"}]') });
  expect(events[1]?.attributes).toEqual({
    "gen_ai.response.id": "m1",
    "gen_ai.usage.input_tokens": 3,
    "gen_ai.usage.output_tokens": 5,
  });
  expect(events[3]).toEqual({ kind: "model-result", call: events[2]?.call, outcome: "ok" });
});

test("a stream that is left has an end", async () => {
  const events = await eventsOf(async (recorder) => {
    for await (const _ of await new FakeListChatModel({ responses: ["long"] }).stream("Go", config(recorder))) break;
  });
  expect(outlineOf(events)).toEqual(["model-call", "model-result cancelled"]);
});

test("tries of a tool are calls, and a call can come from anywhere", async () => {
  let tries = 0;
  const flaky = tool(() => (tries++ === 0 ? Promise.reject(new RangeError("busy")) : "fine"), {
    name: "flaky",
    schema: z.string(),
  });
  const again = toolRetryMiddleware({ maxRetries: 1, initialDelayMs: 0, jitter: false }) as unknown as AgentMiddleware;
  const model = fakeModel().respondWithTools(calls("flaky")).respondWithTools([]);
  const events = await eventsOf(async (recorder) => {
    await createAgent({ model, tools: [flaky], middleware: [again] }).invoke({ messages: "Go" }, config(recorder));
    const manager = new CallbackManager();
    manager.addHandler(recordingCallbacks(recorder));
    const run = await manager.handleToolStart({ lc: 1, type: "not_implemented", id: ["own"] }, "no JSON");
    await run.handleToolEnd("fine");
  });
  const recorded = events.filter(({ kind }) => !kind.startsWith("model"));
  expect(outlineOf(recorded)).toEqual(["call", "result error", "call", "result ok", "call", "result ok"]);
  expect(recorded[4]).toMatchObject({ tool: "own", digests: { arguments: sha256Hex('"no JSON"') } });
});

test("a tool that waits for a person is recorded as cancelled, and begins again", async () => {
  const ask = tool(() => `said ${interrupt("May I?")}`, { name: "ask" });
  const model = fakeModel().respondWithTools(calls("ask")).respondWithTools([]);
  const events = await eventsOf(async (recorder) => {
    const agent = createAgent({ model, tools: [ask], checkpointer: new MemorySaver() });
    const options = { ...config(recorder), configurable: { thread_id: "t1" } };
    await agent.invoke({ messages: "Go" }, options);
    await agent.invoke(new Command({ resume: "yes" }), options);
  });
  const recorded = events.filter(({ kind }) => !kind.startsWith("model"));
  expect(outlineOf(recorded)).toEqual(["call", "result cancelled", "call", "result ok"]);
  expect(recorded[0]?.attributes).toMatchObject({ "langgraph.thread_id": "t1" });
});

test("with a closed recorder calls go on, and in mode `before` they are not made", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const warning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const behind = await record({ store: temporaryFolder() });
  const before = await record({ store: temporaryFolder(), mode: "before" });
  await Promise.all([behind.close(), before.close()]);
  expect(await add.invoke({ n: 1 }, config(behind))).toBe("sum 2");
  expect(warning).toHaveBeenCalledWith("the recorder is closed", { code: "AGENTPRINT_RECORDER_CLOSED" });
  await expect(add.invoke({ n: 1 }, config(before))).rejects.toMatchObject({ code: "closed" });
  vi.restoreAllMocks();
});
