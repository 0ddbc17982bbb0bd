import { specFromAiSdk } from "@agentprint/drover/ai-sdk";
import { specFromLangGraph } from "@agentprint/drover/langgraph";
import { specFromMastraAgent } from "@agentprint/drover/mastra";
import { specFromOpenAiAgent } from "@agentprint/drover/openai-agents";
import { declaredOptions } from "@agentprint/testing/declared-options";
import { tool as langChainTool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { MockMemory } from "@mastra/core/memory";
import { Workspace } from "@mastra/core/workspace";
import { Agent, handoff } from "@openai/agents";
import { tool as aiTool } from "ai";
import { createAgent } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { critic, read } from "../one-change/openai-agent.ts";
import { silentOptions } from "../options/silent-options.ts";
import { deleteFile, keeper, model } from "./support/mastra-agents.ts";

const declared = (text: string) => declaredOptions(import.meta.dirname, text);
const code = () => undefined;

test("Mastra: of every option of an agent, a sub-agent and a tool a change is seen, or named as unseen", async () => {
  const { Config = [], ToolConfig = [] } = declared(`
    import type { AgentConfig } from "@mastra/core/agent";
    import type { createTool } from "@mastra/core/tools";
    export type Config = AgentConfig;
    export type ToolConfig = Parameters<typeof createTool>[0];
  `);
  expect(Config).toEqual(expect.arrayContaining(["hooks", "workspace", "skills", "maxProcessorRetries", "scorers"]));
  expect(ToolConfig).toEqual(expect.arrayContaining(["execute", "requireApproval", "transform"]));
  const values = {
    id: "other",
    name: "Other",
    description: "Other.",
    instructions: "Other.",
    model: model("small"),
    maxRetries: 9,
    tools: {},
    hooks: { beforeToolCall: code },
    agents: { other: keeper({ id: "other" }) },
    mastra: { getLogger: code },
    memory: new MockMemory(),
    skills: [],
    browser: { providerType: "sdk" },
    voice: { addTools: code, addInstructions: code },
    channels: { adapters: { web: { name: "web" } } },
    workspace: new Workspace({ skills: ["skills"] }),
    inputProcessors: [{ id: "limit", processInput: code }],
    outputProcessors: [{ id: "limit", processOutputResult: code }],
    errorProcessors: [{ id: "limit", processAPIError: code }],
    maxProcessorRetries: 9,
    requestContextSchema: z.object({ user: z.string() }),
    signals: [],
    workflows: { tidy: { id: "tidy", serializedStepGraph: [] } },
    durable: true,
    transform: { transformToolPayload: code },
    skillsFormat: "json",
  };
  expect(await silentOptions(Config, (options) => specFromMastraAgent(keeper(options)), values, "")).toEqual([]);
  const withAgent = (options: object) =>
    specFromMastraAgent(keeper({ agents: { critic: keeper({ id: "critic", ...options }) } }));
  expect(await silentOptions(Config, withAgent, values, "/agents/critic")).toEqual([]);

  const schema = z.object({ other: z.string() });
  const schemas = { inputSchema: schema, outputSchema: schema, suspendSchema: schema, resumeSchema: schema };
  const toolValues = { ...schemas, requestContextSchema: schema, id: "other", requireApproval: false };
  const withTool = (options: object) => specFromMastraAgent(keeper({ tools: { delete_file: deleteFile(options) } }));
  expect(await silentOptions(ToolConfig, withTool, toolValues, "/tools/delete_file")).toEqual([]);
  const toolOfAgent = (options: object) => withAgent({ tools: { delete_file: deleteFile(options) } });
  expect(await silentOptions(ToolConfig, toolOfAgent, toolValues, "/agents/critic/tools/delete_file")).toEqual([]);
});

test("AI SDK: of every setting of an agent and option of a tool a change is seen, or named as unseen", async () => {
  const { Settings = [], ToolOptions = [] } = declared(`
    import type { Tool, ToolLoopAgentSettings } from "ai";
    export type Settings = ToolLoopAgentSettings;
    export type ToolOptions = Tool;
  `);
  expect(Settings).toEqual(expect.arrayContaining(["instructions", "prepareStep", "stopWhen", "toolApproval"]));
  expect(ToolOptions).toEqual(expect.arrayContaining(["execute", "needsApproval", "toModelOutput"]));
  const describe = (settings: object) => specFromAiSdk({ model: "acme/large", instructions: "Write.", ...settings });
  const inputSchema = z.object({ path: z.string() });
  expect(
    await silentOptions(
      Settings,
      describe,
      { model: "acme/small", id: "other", tools: { other: { inputSchema } } },
      "",
    ),
  ).toEqual([]);
  const withTool = (options: object) =>
    describe({ tools: { read: aiTool({ inputSchema, execute: code, ...options } as never) } });
  const functions = { execute: () => 1, inputSchema: z.object({}) };
  expect(await silentOptions(ToolOptions, withTool, functions, "/tools/read")).toEqual([]);
});

test("OpenAI Agents: of every option of an agent, a handoff and a tool a change is seen, or named as unseen", async () => {
  const {
    Options = [],
    ToolOptions = [],
    HandoffConfig = [],
    AsTool = [],
  } = declared(`
    import type { Agent, AgentOptions, handoff, tool } from "@openai/agents";
    export type Options = AgentOptions;
    export type ToolOptions = Parameters<typeof tool>[0];
    export type HandoffConfig = NonNullable<Parameters<typeof handoff>[1]>;
    export type AsTool = Parameters<Agent["asTool"]>[0];
  `);
  expect(Options).toEqual(expect.arrayContaining(["inputGuardrails", "modelSettings", "toolUseBehavior"]));
  expect(ToolOptions).toEqual(expect.arrayContaining(["execute", "needsApproval", "strict"]));
  const guardrails = [{ name: "polite", execute: code }];
  const run = [{ name: "polite", run: code }];
  const values = {
    name: "other",
    instructions: "Other.",
    model: "other",
    prompt: { promptId: "other" },
    handoffs: [critic()],
    handoffOutputTypeWarningEnabled: false,
    tools: [read({ name: "other" })],
    mcpServers: [{ name: "files" }],
    inputGuardrails: guardrails,
    outputGuardrails: guardrails,
    outputType: z.object({ other: z.string() }),
    toolUseBehavior: "stop_on_first_tool",
    resetToolChoice: false,
  };
  const base = { name: "writer", instructions: "Write." };
  const describe = (options: object) => specFromOpenAiAgent(new Agent({ ...base, ...options } as never));
  expect(await silentOptions(Options, describe, values, "")).toEqual([]);
  const withHandoff = (options: object) => describe({ handoffs: [critic(options)] });
  expect(await silentOptions(Options, withHandoff, values, "/handoffs/0")).toEqual([]);
  const byHandoff = (options: object) => describe({ handoffs: [handoff(critic(), options as never)] });
  const handoffValues = { toolNameOverride: "other", toolDescriptionOverride: "Other.", isEnabled: false };
  const onHandoff = { inputType: z.object({}), onHandoff: code };
  const ofHandoff = (options: { readonly [name: string]: unknown }) =>
    byHandoff("inputType" in options || "onHandoff" in options ? onHandoff : options);
  expect(await silentOptions(HandoffConfig, ofHandoff, handoffValues, "/handoffs/0")).toEqual([]);

  const toolValues = {
    name: "other",
    parameters: z.object({}),
    strict: false,
    deferLoading: true,
    execute: async () => "other",
    errorFunction: code,
    needsApproval: false,
    isEnabled: false,
    inputGuardrails: run,
    outputGuardrails: run,
    timeoutMs: 9,
    timeoutBehavior: "raise_exception",
    timeoutErrorFunction: code,
    customDataExtractor: code,
    allowedCallers: ["direct"],
    outputSchema: { type: "object", properties: {}, required: [], additionalProperties: false },
  };
  const properties = { path: { type: "string" } };
  const parameters = { type: "object", properties, required: ["path"], additionalProperties: false } as const;
  const ofTool = (options: object) => read({ parameters, ...options } as never);
  const withTool = (options: object) => describe({ tools: [ofTool(options)] });
  expect(await silentOptions(ToolOptions, withTool, toolValues, "/tools/0")).toEqual([]);
  const toolOfHandoff = (options: object) => withHandoff({ tools: [ofTool(options)] });
  expect(await silentOptions(ToolOptions, toolOfHandoff, toolValues, "/handoffs/0/tools/0")).toEqual([]);
  const asTool = (options: object) =>
    describe({ tools: [critic().asTool({ toolName: "ask", toolDescription: "Asks.", ...options } as never)] });
  const streams = { onStream: code, onStreamMaxPendingEvents: 9, needsApproval: true, inputBuilder: code };
  const asToolValues = {
    ...streams,
    toolName: "other",
    toolDescription: "Other.",
    parameters: z.object({ other: z.string() }),
  };
  expect(await silentOptions(AsTool, asTool, asToolValues, "/tools/0")).toEqual([]);
});

test("LangGraph: of every option of a graph, a node, an agent and a tool a change is seen, or named as unseen", async () => {
  const {
    Compile = [],
    Node = [],
    AgentParams = [],
    ToolFields = [],
  } = declared(`
    import type { DynamicStructuredToolInput } from "@langchain/core/tools";
    import type { StateGraph } from "@langchain/langgraph";
    import type { CreateAgentParams } from "langchain";
    export type Compile = NonNullable<Parameters<StateGraph<any>["compile"]>[0]>;
    export type Node = NonNullable<Parameters<StateGraph<any>["addNode"]>[2]>;
    export type AgentParams = CreateAgentParams;
    export type ToolFields = DynamicStructuredToolInput;
  `);
  expect(Compile).toEqual(expect.arrayContaining(["checkpointer", "interruptBefore"]));
  expect(ToolFields).toEqual(expect.arrayContaining(["func", "returnDirect", "verbose"]));
  const configurable = { systemPrompt: "Write." };
  const described = (graph: never) => specFromLangGraph({ id: "writer", configurable, graph });
  const State = Annotation.Root({ text: Annotation<string>() });
  const graphOf = async (node: object, compile: object) => {
    const builder = new StateGraph(State)
      .addNode("a", async () => ({}), node)
      .addEdge(START, "a")
      .addEdge("a", END);
    return described((await builder.compile(compile).getGraphAsync()) as never);
  };
  const lists = { interruptBefore: ["a"], interruptAfter: ["a"], transformers: [], checkpointer: false };
  expect(await silentOptions(Compile, (compile) => graphOf({}, compile), lists, "/graph")).toEqual([]);
  const nodes = { ends: ["a"], subgraphs: [], input: State, timeout: 9, defer: true, errorHandler: code };
  expect(await silentOptions(Node, (node) => graphOf(node, {}), nodes, "/graph")).toEqual([]);

  const fake = (response: string) => new FakeListChatModel({ responses: [response] });
  const ofAgent = async (params: object) => {
    const { graph } = createAgent({ model: fake("a"), ...params });
    return described((await graph.getGraphAsync()) as never);
  };
  const params = {
    model: fake("b"),
    tools: [],
    systemPrompt: "Other.",
    stateSchema: z.object({ other: z.string() }),
    contextSchema: z.object({ other: z.string() }),
    checkpointer: false,
    responseFormat: z.object({ other: z.string() }),
    middleware: [],
    name: "other",
    includeAgentName: "inline",
    signal: new AbortController().signal,
    version: "v1",
    streamTransformers: [],
  };
  expect(await silentOptions(AgentParams, ofAgent, params, "/graph")).toEqual([]);

  const fields = { name: "read", description: "Reads a file.", schema: z.object({ path: z.string() }) };
  const withTool = ({ func = async () => "content", ...options }: { readonly [name: string]: unknown }) =>
    specFromLangGraph({ id: "writer", configurable, tools: [langChainTool(func as never, { ...fields, ...options })] });
  const toolValues = {
    func: async () => "other",
    name: "other",
    schema: z.object({}),
    responseFormat: "content_and_artifact",
    callbacks: [{ handleToolStart: code }],
    tags: ["other"],
    returnDirect: true,
    verbose: true,
    verboseParsingErrors: true,
  };
  expect(await silentOptions(ToolFields, withTool, toolValues, "/tools/0")).toEqual([]);
});
