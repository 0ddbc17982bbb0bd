import {
  tool as capability,
  computeFullCapabilityLink,
  createRegisteredAgent,
  toolkit,
} from "@agentprint/agent-capabilities";
import { sha256Hex } from "@agentprint/canonical-json";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { APICallError, generateObject, generateText, stepCountIs, streamObject, streamText, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { recordingTelemetry } from "../src/adapters/ai-sdk.ts";
import type { Recorder, RecorderError } from "../src/index.ts";
import { type Answer, calls, modelOf, PARTS, streaming, TEXT, telemetry } from "./ai-models.ts";
import { eventsOf, OUTLINE_OF_ONE_TOOL_THAT_FAILS, outlineOf } from "./entries-support.ts";
import { collect, record, temporaryFolder } from "./support.ts";

const schema = z.object({ n: z.number() });
const add = tool({ inputSchema: schema, execute: ({ n }) => ({ sum: n + 1 }) });
const fail = tool({
  inputSchema: schema,
  execute: (): string => {
    throw new RangeError("secret of the tool");
  },
});
const stopWhen = stepCountIs(3);

const addOnce = (recorder: Recorder) =>
  generateText({
    model: modelOf(calls("add")),
    tools: { add },
    prompt: "Go",
    stopWhen,
    telemetry: telemetry(recorder),
  });

test("each call of a model and of a tool is recorded, with digests and nothing of the contents", async () => {
  const events = await eventsOf((recorder) =>
    generateText({
      model: modelOf(calls("add", "fail")),
      tools: { add, fail },
      prompt: "a secret",
      stopWhen,
      telemetry: telemetry(recorder),
    }),
  );
  expect(outlineOf(events).sort()).toEqual(OUTLINE_OF_ONE_TOOL_THAT_FAILS);
  expect(events[2]).toMatchObject({ call: "c0", tool: "add", digests: { arguments: sha256Hex('{"n":1}') } });
  const ends = events.filter(({ kind }) => kind === "result");
  expect(ends.find(({ tool }) => tool === "add")).toMatchObject({ digests: { result: sha256Hex('{"sum":2}') } });
  expect(ends.find(({ tool }) => tool === "fail")).toMatchObject({ call: "c1", code: "RangeError" });
  expect(events[0]?.digests).toHaveProperty("tools");
  expect(events.at(-2)?.digests?.["messages"]).not.toBe(events[0]?.digests?.["messages"]);
  expect(events.at(-1)).toMatchObject({
    digests: { result: sha256Hex('[{"text":"done","type":"text"}]') },
    attributes: { "gen_ai.response.id": "r1", "gen_ai.usage.input_tokens": 3, "gen_ai.usage.output_tokens": 5 },
  });
  expect(JSON.stringify(events)).not.toMatch(/secret|done/);
});

test("each attempt of a model call is a call", async () => {
  const busy = new APICallError({
    message: "busy",
    url: "u",
    requestBodyValues: {},
    isRetryable: true,
    responseHeaders: { "retry-after-ms": "1" },
  });
  const events = await eventsOf(async (recorder) => {
    await generateText({ model: modelOf(busy, TEXT), prompt: "Go", telemetry: telemetry(recorder) });
    const failed = generateText({ model: modelOf(new TypeError("no")), prompt: "Go", telemetry: telemetry(recorder) });
    await expect(failed).rejects.toThrow("no");
  });
  expect(outlineOf(events)).toEqual([
    "model-call",
    "model-result error",
    "model-call",
    "model-result ok",
    "model-call",
    "model-result error",
  ]);
  expect(events[1]).toMatchObject({ code: "AI_APICallError" });
  expect(new Set(events.map(({ call }) => call)).size).toBe(3);
});

test("calls that are open when the session ends are recorded as cancelled", async () => {
  const events = await eventsOf(async (recorder) => {
    await new Promise<void>((asked) => {
      const doGenerate = () => {
        asked();
        return new Promise<never>(() => {});
      };
      const model = new MockLanguageModelV4({ doGenerate });
      void generateText({ model, prompt: "Go", telemetry: telemetry(recorder) });
    });
  });
  expect(events.at(-1)).toMatchObject({ kind: "model-result", outcome: "cancelled", reason: "session-end" });
});

test("generated objects are recorded, too, complete and streamed", async () => {
  const json: Answer = { ...TEXT, content: [{ type: "text", text: '{"n":1}' }] };
  const parts = PARTS.map((part) =>
    part.type === "text-delta" ? { ...part, delta: part.delta === "do" ? '{"n"' : ":1}" } : part,
  );
  const events = await eventsOf(async (recorder) => {
    const options = { schema, prompt: "Go", telemetry: telemetry(recorder) };
    expect((await generateObject({ model: modelOf(json), ...options })).object).toEqual({ n: 1 });
    await expect(generateObject({ model: modelOf(new TypeError("no")), ...options })).rejects.toThrow("no");
    const { partialObjectStream, object } = streamObject({ model: streaming(parts), ...options });
    await collect(partialObjectStream);
    expect(await object).toEqual({ n: 1 });
  });
  expect(outlineOf(events)).toEqual([
    "model-call",
    "model-result ok",
    "model-call",
    "model-result error",
    "model-call",
    "model-result ok",
  ]);
  expect(events[1]).toMatchObject({ digests: { result: sha256Hex('"{\\"n\\":1}"') } });
});

test("contents are recorded where they are wanted, as the hook gives them", async () => {
  const contents = ({ of, tool: name, value }: { of: string; tool?: string; value: unknown }) => {
    if (of === "result" && name === "add") return { sum: "hidden" };
    if (of === "messages") throw new Error("no");
    return of === "tools" || of === "instructions" ? undefined : value;
  };
  const errors: RecorderError[] = [];
  const events = await eventsOf(async (recorder) => {
    const model = modelOf(calls("add", "fail"), { ...TEXT, content: [{ type: "text", text: "x".repeat(2 ** 18) }] });
    const integrations = recordingTelemetry(recorder, { contents, onError: (error) => errors.push(error) });
    await generateText({ model, tools: { add, fail }, prompt: "Go", stopWhen, telemetry: { integrations } });
    const all = { telemetry: telemetry(recorder, { contents: true }) };
    await streamText({ model: streaming(), prompt: "Go", ...all }).consumeStream();
  });
  expect(events.find(({ kind }) => kind === "call")?.attributes).toMatchObject({
    "gen_ai.tool.call.arguments": '{"n":1}',
  });
  const [ok, failed] = events
    .filter(({ kind }) => kind === "result")
    .sort((a, b) => ((a.call ?? "") < (b.call ?? "") ? -1 : 1));
  expect(ok).toMatchObject({
    digests: { result: sha256Hex('{"sum":2}') },
    attributes: { "gen_ai.tool.call.result": '{"sum":"hidden"}' },
  });
  expect(failed?.attributes).toEqual({ "exception.message": "secret of the tool" });
  const answers = events
    .filter(({ kind }) => kind === "model-result")
    .map(({ attributes }) => attributes?.["gen_ai.output.messages"]);
  expect(answers[0]).toContain('"toolCallId":"c0"');
  expect(answers[1]).toBeUndefined(); // too long
  expect(answers[2]).toContain('"delta":"do"');
  expect(events[0]?.attributes).not.toHaveProperty("gen_ai.input.messages");
  expect(errors).toMatchObject([{ code: "not-recorded" }]);
});

test("values without a canonical text have no digest, and the event says so", async () => {
  const odd = {
    big: tool({ inputSchema: schema, execute: () => new Map() }),
    none: tool({ inputSchema: schema, execute: () => undefined }),
  };
  const events = await eventsOf((recorder) =>
    generateText({ model: modelOf(calls("big", "none")), tools: odd, prompt: "Go", telemetry: telemetry(recorder) }),
  );
  const [big, none] = events
    .filter(({ kind }) => kind === "result")
    .sort((a, b) => ((a.call ?? "") < (b.call ?? "") ? -1 : 1));
  expect(big).toMatchObject({ outcome: "ok", reason: "no-canonical-text" });
  expect(none).toEqual({ kind: "result", call: "c1", tool: "none", outcome: "ok" });
});

test("a result that says that it is an error is one", async () => {
  const mcp = tool({ inputSchema: schema, execute: () => ({ content: [], isError: true }) });
  const events = await eventsOf((recorder) =>
    generateText({ model: modelOf(calls("mcp")), tools: { mcp }, prompt: "Go", telemetry: telemetry(recorder) }),
  );
  expect(events.at(-1)).toMatchObject({ kind: "result", outcome: "error" });
});

test("events have the trace of the active span", async () => {
  const spanContext = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7", traceFlags: 1 };
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const events = await eventsOf((recorder) =>
    context.with(trace.setSpanContext(context.active(), spanContext), () => addOnce(recorder)),
  ).finally(() => context.disable());
  expect(new Set(events.map((event) => event.trace))).toEqual(
    new Set([`00-${spanContext.traceId}-${spanContext.spanId}-01`]),
  );
});

test("the capability link of a turn is recorded when it changes, and a fault where it cannot be made", async () => {
  const read = capability({ name: "read", inputSchema: schema, handler: () => "" });
  const links = await Promise.all(
    [toolkit([read], { name: "files" }), toolkit([], { name: "none" })].map(async (root) => {
      const agent = createRegisteredAgent({ agentId: "a", name: "A", root });
      return (await computeFullCapabilityLink({ agent, ctx: { env: {} } })).link;
    }),
  );
  const turns = [links[0], links[0], links[1], undefined, links[1]];
  const events = await eventsOf(async (recorder) => {
    const link = async () => turns.shift() ?? Promise.reject(new Error("no link"));
    const { integrations } = telemetry(recorder, { link, onError: () => {} });
    for (let turn = 0; turn < 5; turn++) {
      await generateText({ model: modelOf(TEXT), prompt: "Go", telemetry: { integrations } });
    }
  });
  expect(outlineOf(events.filter(({ kind }) => kind !== "model-result"))).toEqual([
    "link",
    "model-call",
    "model-call",
    "link",
    "model-call",
    "fault",
    "model-call",
    "model-call",
  ]);
  const { staticHash, runtimeHash } = links[0] as (typeof links)[0];
  expect(events[0]?.digests).toMatchObject({ static: staticHash, runtime: runtimeHash });
});

test("with a closed recorder calls go on, and in mode `before` they are not made", async () => {
  const execute = vi.fn(() => "done");
  const tools = { add: tool({ inputSchema: schema, execute }) };
  const errors: string[] = [];
  const onError = ({ code }: RecorderError) => {
    errors.push(code);
    throw new Error("not heard");
  };
  const behind = await record({ store: temporaryFolder() });
  const before = await record({ store: temporaryFolder(), mode: "before" });
  await Promise.all([behind.close(), before.close()]);
  const { toolResults } = await generateText({
    model: modelOf(calls("add", "add")),
    tools,
    prompt: "Go",
    telemetry: telemetry(behind, { onError }),
  });
  expect(toolResults).toHaveLength(2);
  expect(errors).toEqual(["closed"]);
  const refused = generateText({ model: modelOf(TEXT), prompt: "Go", telemetry: telemetry(before, { onError }) });
  await expect(refused).rejects.toMatchObject({ code: "closed" });
  expect(execute).toHaveBeenCalledTimes(2);
});

test("in mode `before` a tool runs when its start is durable", async () => {
  const events = await eventsOf((recorder) => addOnce(recorder), { mode: "before" });
  expect(outlineOf(events)).toHaveLength(6);
});
