import { specFromLangGraph } from "@agentprint/drover/langgraph";
import { tool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Annotation, END, InMemoryStore, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { createAgent, createMiddleware, toolStrategy } from "langchain";
import { z } from "zod";
import { type Change, changesOf } from "./change.ts";

interface Special {
  readonly id?: string;
  readonly configurable?: { readonly [key: string]: unknown };
  readonly labels?: Record<string, "b" | "c">;
  readonly compile?: object;
  readonly node?: object;
  readonly answer?: string;
  readonly condition?: () => string;
  readonly extra?: boolean;
  readonly subgraph?: () => Promise<object>;
  readonly reducer?: (before: string, after: string) => string;
  readonly withoutGraph?: boolean;
  readonly tools?: readonly object[] | undefined;
}

const row = changesOf(async (special: Special) => {
  const {
    id = "writer",
    configurable = {},
    labels = { yes: "b", no: "c" },
    compile = {},
    withoutGraph = false,
  } = special;
  const {
    answer = "a",
    node = {},
    condition = () => "yes",
    extra = false,
    subgraph = async () => ({}),
    reducer = (_: string, next: string) => next,
  } = special;
  const tools = "tools" in special ? special.tools : [read()];
  const State = Annotation.Root({ text: Annotation<string>({ reducer, default: () => "" }) });
  const builder = new StateGraph(State)
    .addNode("a", async () => ({ text: answer }), node)
    .addNode("b", subgraph)
    .addNode("c", async () => ({}))
    .addEdge(START, "a")
    .addConditionalEdges("a", condition as () => "yes", labels)
    .addEdge("b", END)
    .addEdge("c", END);
  if (extra) builder.addNode("d", async () => ({})).addEdge("c", "d" as "c");
  const graph = withoutGraph ? undefined : await builder.compile(compile).getGraphAsync();
  const configuration = { systemPrompt: "Write.", model: "large", ...configurable };
  return specFromLangGraph({ id, configurable: configuration, tools, graph });
});

/** Returns a LangChain agent, which is a graph. */
const ofAgent = changesOf(async (options: object) => {
  const { graph } = createAgent({ model: fake("a"), tools: [read()], ...options });
  const drawn = await graph.getGraphAsync();
  return specFromLangGraph({ id: "writer", configurable: { systemPrompt: "Write." }, tools: [read()], graph: drawn });
});

const same = () => ({});
const read = (options: object = {}, code = async () => "content") =>
  tool(code, { name: "read", description: "Reads a file.", schema: z.object({ path: z.string() }), ...options });
const withTool = (options: object, code?: () => Promise<string>) => () => ({ tools: [read(options, code)] });
const inner = (node: string) =>
  new StateGraph(Annotation.Root({ text: Annotation<string>() }))
    .addNode(node, async () => ({}))
    .addEdge(START, node as "__start__")
    .compile() as unknown as () => Promise<object>;
const fake = (response: string) => new FakeListChatModel({ responses: [response] });

export const langGraphChanges: readonly Change[] = [
  row("id", { seen: "id" }, same, () => ({ id: "critic" })),
  row("the system prompt", { seen: "systemPrompt" }, same, () => ({ configurable: { systemPrompt: "Rewrite." } })),
  row("a value in configurable", { seen: "model" }, same, () => ({ configurable: { model: "small" } })),
  row(
    "what a function in configurable does",
    { warned: "/configurable/choose" },
    () => ({ configurable: { choose: () => 1 } }),
    () => ({ configurable: { choose: () => 2 } }),
  ),
  row(
    "a model object in configurable",
    { warned: "/configurable/model" },
    () => ({ configurable: { model: fake("a") } }),
    () => ({ configurable: { model: fake("b") } }),
  ),
  row("name of a tool", { seen: "tools" }, same, withTool({ name: "open" })),
  row("description of a tool", { seen: "tools" }, same, withTool({ description: "Opens a file." })),
  row("schema of a tool", { seen: "tools" }, same, withTool({ schema: z.object({ path: z.string().max(9) }) })),
  row(
    "refinement of the schema of a tool",
    { warned: "/tools/0/schema" },
    same,
    withTool({ schema: z.object({ path: z.string().refine(() => false) }) }),
  ),
  row("returnDirect of a tool", { seen: "tools" }, same, withTool({ returnDirect: true })),
  row("extras of a tool, such as provider options", { seen: "tools" }, same, withTool({ extras: { strict: true } })),
  row(
    "code of a tool",
    { warned: "/tools/0/func" },
    same,
    withTool({}, async () => "other"),
  ),
  row(
    "order of tools",
    { seen: "tools" },
    () => ({ tools: [read(), read({ name: "open" })] }),
    () => ({ tools: [read({ name: "open" }), read()] }),
  ),
  row("a tool that a provider runs", { seen: "tools" }, same, () => ({ tools: [{ type: "web_search" }] })),
  row(
    "tools, where none are given",
    { warned: "/tools" },
    () => ({ tools: undefined, answer: "a" }),
    () => ({ tools: undefined, answer: "b" }),
  ),
  row("one more node", { seen: "subagents" }, same, () => ({ extra: true })),
  row(
    "metadata of a node",
    { seen: "subagents" },
    () => ({ node: { metadata: { kind: 1 } } }),
    () => ({ node: { metadata: { kind: 2 } } }),
  ),
  row(
    "what a function in the metadata of a node does",
    { warned: "/graph/nodes/a/metadata/choose" },
    () => ({ node: { metadata: { choose: () => 1 } } }),
    () => ({ node: { metadata: { choose: () => 2 } } }),
  ),
  row(
    "what a node does",
    { warned: "/graph/nodes/a" },
    () => ({ answer: "a" }),
    () => ({ answer: "b" }),
  ),
  row(
    "retryPolicy of a node",
    { warned: "/graph/nodes/a" },
    () => ({ node: { retryPolicy: { maxAttempts: 1 } } }),
    () => ({ node: { retryPolicy: { maxAttempts: 9 } } }),
  ),
  row(
    "ends of a node, to which its commands lead",
    { seen: "subagents" },
    () => ({ node: { ends: ["b"] } }),
    () => ({ node: { ends: ["c"] } }),
  ),
  row(
    "a node of a graph that is a node",
    { warned: "/graph/nodes/b" },
    () => ({ subgraph: inner("read") }),
    () => ({ subgraph: inner("write") }),
  ),
  row(
    "target of a condition",
    { seen: "subagents" },
    () => ({ labels: { yes: "b", no: "c", maybe: "b" } }),
    () => ({ labels: { yes: "b", no: "c", maybe: "c" } }),
  ),
  row("label of a condition", { seen: "subagents" }, same, () => ({ labels: { yes: "b", never: "c" } })),
  row("swapped labels of a condition", { seen: "subagents" }, same, () => ({ labels: { yes: "c", no: "b" } })),
  row("what a condition decides", { warned: "/graph/edges" }, same, () => ({ condition: () => "no" })),
  row("interruptBefore, names of nodes", { seen: "subagents" }, () => ({ compile: { interruptBefore: ["b"] } }), same),
  row(
    "interruptBefore of another node",
    { seen: "subagents" },
    () => ({ compile: { interruptBefore: ["b"] } }),
    () => ({ compile: { interruptBefore: ["c"] } }),
  ),
  row(
    "interruptAfter instead of interruptBefore",
    { seen: "subagents" },
    () => ({ compile: { interruptBefore: ["b"] } }),
    () => ({ compile: { interruptAfter: ["b"] } }),
  ),
  row(
    "interruptBefore, all nodes",
    { warned: "/graph/interruptBefore" },
    () => ({ compile: { interruptBefore: "*" } }),
    same,
  ),
  row(
    "checkpointer",
    { warned: "/graph/checkpointer" },
    () => ({ compile: { checkpointer: new MemorySaver() } }),
    same,
  ),
  row(
    "a reducer of the state",
    { warned: "/graph/channels" },
    () => ({ reducer: (before) => before }),
    () => ({ reducer: (_, after) => after }),
  ),
  row(
    "the graph, where none is given",
    { warned: "/graph" },
    () => ({ withoutGraph: true, answer: "a" }),
    () => ({ withoutGraph: true, answer: "b" }),
  ),
  row("store", { warned: "/graph/store" }, same, () => ({ compile: { store: new InMemoryStore() } })),
  ofAgent("a middleware of createAgent that is a node", { seen: "subagents" }, same, () => ({
    middleware: [createMiddleware({ name: "limit", beforeModel: () => undefined })],
  })),
  ofAgent("a middleware of createAgent that wraps calls", { warned: "/graph/middleware" }, same, () => ({
    middleware: [createMiddleware({ name: "limit", wrapModelCall: (request, handler) => handler(request) })],
  })),
  ofAgent("model of createAgent", { warned: "/graph/model" }, same, () => ({ model: fake("b") })),
  ofAgent(
    "schema of a tool of createAgent, where the spec has another",
    { warned: "/graph/nodes/tools" },
    same,
    () => ({
      tools: [read({ schema: z.object({}) })],
    }),
  ),
  ofAgent("responseFormat of createAgent", { warned: "/graph/responseFormat" }, same, () => ({
    responseFormat: toolStrategy(z.object({ title: z.string() })),
  })),
  ofAgent("systemPrompt of createAgent, where the spec has another", { warned: "/graph/systemPrompt" }, same, () => ({
    systemPrompt: "Rewrite.",
  })),
];
