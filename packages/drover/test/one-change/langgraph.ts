import { specFromLangGraph } from "@agentprint/drover/langgraph";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Annotation, END, MemorySaver, START, StateGraph } from "@langchain/langgraph";
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
  readonly reducer?: (before: string, after: string) => string;
  readonly withoutGraph?: boolean;
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
    reducer = (_: string, next: string) => next,
  } = special;
  const State = Annotation.Root({ text: Annotation<string>({ reducer, default: () => "" }) });
  const builder = new StateGraph(State)
    .addNode("a", async () => ({ text: answer }), node)
    .addNode("b", async () => ({}))
    .addNode("c", async () => ({}))
    .addEdge(START, "a")
    .addConditionalEdges("a", condition as () => "yes", labels)
    .addEdge("b", END)
    .addEdge("c", END);
  if (extra) builder.addNode("d", async () => ({})).addEdge("c", "d" as "c");
  const graph = withoutGraph ? undefined : await builder.compile(compile).getGraphAsync();
  return specFromLangGraph({ id, configurable: { systemPrompt: "Write.", model: "large", ...configurable }, graph });
});

const same = () => ({});
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
  row("a node more", { seen: "subagents" }, same, () => ({ extra: true })),
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
];
