import { sha256Hex } from "@agentprint/canonical-json";
import { Mastra } from "@mastra/core";
import { Agent, type AgentConfig } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { recordAgent } from "../src/adapters/mastra.ts";
import { USAGE } from "./ai-models.ts";
import { eventsOf, outlineOf } from "./entries-support.ts";
import { record, temporaryFolder } from "./support.ts";

type Part = Awaited<ReturnType<MockLanguageModelV3["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;
type Answer = readonly Part[] | Error;

const finish = (unified: "stop" | "tool-calls"): Part => ({
  type: "finish",
  finishReason: { unified, raw: undefined },
  usage: USAGE,
});
const TEXT: readonly Part[] = [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "done" },
  { type: "text-end", id: "t" },
  finish("stop"),
];
const calls = (...names: readonly string[]): readonly Part[] => [
  ...names.map((toolName, index) => ({
    type: "tool-call" as const,
    toolCallId: `c${index}`,
    toolName,
    input: '{"n":1}',
  })),
  finish("tool-calls"),
];

/** Returns a model that streams these answers one after the other, and throws those that are errors. */
function modelOf(...answers: readonly Answer[]): MockLanguageModelV3 {
  const left = [...answers];
  return new MockLanguageModelV3({
    provider: "acme",
    modelId: "large",
    doStream: async () => {
      const answer = left.shift() ?? TEXT;
      if (answer instanceof Error) throw answer;
      return { stream: simulateReadableStream({ chunks: [...answer], chunkDelayInMs: null, initialDelayInMs: null }) };
    },
    doGenerate: async () => ({
      content: [{ type: "text", text: "done" }],
      finishReason: { unified: "stop", raw: undefined },
      usage: USAGE,
      warnings: [],
    }),
  });
}

const inputSchema = z.object({ n: z.number() });
const toolOf = (id: string, execute: unknown, options = {}) =>
  createTool({ id, description: id, inputSchema, execute, ...options } as never);
const add = toolOf("add", async ({ n }: { n: number }) => ({ sum: n + 1 }));
const fail = toolOf("fail", () => Promise.reject(new RangeError("secret of the tool")));
const picky = toolOf("picky", async () => "done", { inputSchema: z.object({ text: z.string() }) });

function agentOf(tools: object, answers: readonly Answer[], options = {}): Agent {
  const config = { id: "a", name: "A", instructions: "a secret", model: modelOf(...answers), maxRetries: 0, tools };
  return new Agent({ ...config, ...options } as unknown as AgentConfig);
}

/** Returns an agent's complete answer. */
async function say(agent: Agent, options = {}): Promise<string> {
  const output = await agent.stream("a secret", options);
  await output.consumeStream();
  return output.text;
}

test("each call is recorded once, failing ones too, with digests and nothing of the contents", async () => {
  const events = await eventsOf(async (recorder) => {
    const agent = agentOf({ add, fail, picky }, [calls("add", "fail", "picky")]);
    expect(recordAgent(agent, recorder)).toBe(agent);
    expect(await say(agent)).toBe("done");
  });
  const models = events.filter(({ kind }) => kind.startsWith("model"));
  expect(outlineOf(models)).toEqual(["model-call", "model-result ok", "model-call", "model-result ok"]);
  expect(models[0]?.attributes).toEqual({ "gen_ai.provider.name": "acme", "gen_ai.request.model": "large" });
  expect(models[1]?.attributes).toMatchObject({ "gen_ai.usage.output_tokens": 5 });
  const ends = events.filter(({ kind }) => kind === "result");
  expect(ends.find(({ tool }) => tool === "add")).toEqual({
    kind: "result",
    call: "c0",
    tool: "add",
    outcome: "ok",
    digests: { result: sha256Hex('{"sum":2}') },
  });
  expect(ends.find(({ tool }) => tool === "fail")).toMatchObject({ outcome: "error", code: "RangeError" });
  expect(ends.find(({ tool }) => tool === "picky")).toMatchObject({ outcome: "error" });
  expect(events.filter(({ kind }) => kind === "call")).toHaveLength(3);
  expect(JSON.stringify(events)).not.toMatch(/secret|done/);
});

test("tries of a model are calls, and whole answers, those that fail and those that are left have an end", async () => {
  const busy = Object.assign(new Error("busy"), { isRetryable: true });
  const long = [...TEXT.slice(0, 2), ...Array.from({ length: 200 }, () => TEXT[1] as Part), ...TEXT.slice(2)];
  const events = await eventsOf(async (recorder) => {
    await say(recordAgent(agentOf({}, [busy], { maxRetries: 1 }), recorder));
    expect((await recordAgent(agentOf({}, []), recorder).generate("Go")).text).toBe("done");
    await say(recordAgent(agentOf({}, [new TypeError("no")]), recorder));
    const abort = new AbortController();
    const { fullStream } = await recordAgent(agentOf({}, [long]), recorder).stream("Go", { abortSignal: abort.signal });
    for await (const { type } of fullStream) if (type === "text-delta") abort.abort();
  });
  const ends = events.filter(({ kind }) => kind === "model-result");
  expect(ends.map(({ outcome, code }) => code ?? outcome)).toEqual(["Error", "ok", "ok", "TypeError", "cancelled"]);
});

test("an aborted tool is recorded as cancelled, and so is one that waits, which begins again", async () => {
  const abort = new AbortController();
  const stopping = toolOf("stopping", (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) => {
    abort.abort();
    return Promise.reject(abortSignal.reason);
  });
  const asking = async (_: unknown, { agent }: never) => {
    const { resumeData, suspend } = agent as { resumeData?: unknown; suspend: (payload: object) => Promise<void> };
    return resumeData === undefined ? suspend({}) : "asked";
  };
  // The library runs a tool early unless its definition says that it may wait.
  const asked = [
    toolOf("ask", asking),
    toolOf("ask", asking, { suspendSchema: z.object({}), resumeSchema: z.object({}) }),
  ];
  const events = await eventsOf(async (recorder) => {
    await say(recordAgent(agentOf({ stopping }, [calls("stopping")]), recorder), { abortSignal: abort.signal });
    for (const ask of asked) {
      const agent = recordAgent(agentOf({ ask }, [calls("ask")]), recorder);
      new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
      const paused = await agent.stream("Go");
      await paused.consumeStream();
      const resumed = await agent.resumeStream({ go: true }, { runId: paused.runId, toolCallId: "c0" });
      await resumed.consumeStream();
      expect(await resumed.text).toBe("done");
    }
  });
  const recorded = events.filter(({ kind }) => !kind.startsWith("model"));
  const waiting = ["call", "result cancelled", "call", "result ok"];
  expect(outlineOf(recorded)).toEqual(["call", "result cancelled", ...waiting, ...waiting]);
  expect(recorded.flatMap(({ reason }) => reason ?? [])).toEqual(["interrupted", "interrupted"]);
});

test("agents that are tools are recorded where they are, and hooks of the program go on", async () => {
  const before = vi.fn();
  const expert = agentOf({ add }, [calls("add")], { id: "expert", name: "expert", description: "Adds" });
  const asked: Part = { type: "tool-call", toolCallId: "c9", toolName: "agent-expert", input: '{"prompt":"Go"}' };
  const agent = agentOf({}, [[asked, finish("tool-calls")]], { agents: { expert }, hooks: { beforeToolCall: before } });
  const events = await eventsOf(async (recorder) => {
    recordAgent(expert, recorder);
    expect(await say(recordAgent(agent, recorder))).toBe("done");
  });
  const recorded = events.filter(({ kind }) => kind === "call");
  expect(recorded.map(({ tool }) => tool)).toEqual(["agent-expert", "add"]);
  expect(events.filter(({ kind }) => kind === "model-call")).toHaveLength(4);
  expect(before).toHaveBeenCalledTimes(1);
});

test("with a closed recorder, calls continue, or in mode `before` are not made, and the later recorder counts", async () => {
  const execute = vi.fn(async () => "done");
  const beforeToolCall = vi.fn(async () => {});
  const own = toolOf("own", execute);
  const agent = agentOf({ own }, [calls("own"), TEXT, calls("own")], { hooks: { beforeToolCall } });
  const onError = () => {};
  const behind = await record({ store: temporaryFolder() });
  await behind.close();
  expect(await say(recordAgent(agent, behind, { onError }))).toBe("done");
  expect(execute).toHaveBeenCalledTimes(1);
  const before = await record({ store: temporaryFolder(), mode: "before" });
  beforeToolCall.mockImplementation(() => before.close());
  recordAgent(agent, before, { onError });
  const { fullStream } = await agent.stream("Go");
  const errors: unknown[] = [];
  for await (const chunk of fullStream) {
    if (chunk.type === "error") errors.push(chunk.payload.error);
  }
  expect(errors).toMatchObject([{ code: "closed" }]);
  expect(execute).toHaveBeenCalledTimes(1);
});

test("an agent without the functions of one is refused", () => {
  expect(() => recordAgent({} as never, {} as never)).toThrow(expect.objectContaining({ code: "unsupported" }));
});
