import { SpecError } from "../errors.ts";
import type { AgentSpec } from "../spec.ts";
import { Description } from "./description.ts";

export {
  type CheckpointConfig,
  type Checkpointer,
  type GuardCheckpointerOptions,
  guardCheckpointer,
} from "./guard-checkpointer.ts";

/** An edge of a drawable graph. */
export interface DrawableEdge {
  readonly source: string;
  readonly target: string;
  /** The label of a condition. */
  readonly data?: unknown;
  readonly conditional?: boolean;
}

/** The drawable form of a LangGraph graph, as `getGraphAsync()` gives it. */
export interface DrawableGraph {
  /** By id. A node has `metadata`, which also says where the graph interrupts, and the code that runs there as `data`. */
  readonly nodes: { readonly [id: string]: unknown };
  readonly edges: readonly DrawableEdge[];
}

/** A LangGraph graph, and the configuration with which it runs. */
export interface LangGraphDefinition {
  readonly id: string;
  /** `config.configurable`. */
  readonly configurable: { readonly [key: string]: unknown };
  /** The member of `configurable` that is the system prompt. Default `"systemPrompt"`. */
  readonly promptKey?: string | undefined;
  /** The tools that the nodes call: LangChain tools, or definitions that a model provider takes. */
  readonly tools?: readonly object[] | undefined;
  readonly graph?: DrawableGraph | undefined;
}

/** Members that identify a run. They are left out, because they differ from one resume to the next. */
const RUN_KEYS: ReadonlySet<string> = new Set([
  "thread_id",
  "thread_ts",
  "checkpoint_id",
  "checkpoint_map",
  "checkpoint_ns",
  "run_id",
  "task_id",
]);

/** Members of a LangChain tool that do not define it, or repeat others. */
const TOOL_INTERNALS = ["lc_kwargs", "lc_runnable", "lc_serializable", "callbacks", "verbose"];

const TOOL_CLASSES = ["DynamicStructuredTool", "DynamicTool"];

/**
 * The spec of a LangGraph graph: `configurable` without the members that identify the run, the tools with their JSON Schemas, and
 * the nodes and edges of the graph with their metadata and labels. The code of nodes and conditions is not hashed: give the graph a new id when that code
 * changes. `unseen` names these parts.
 *
 * @throws {@link SpecError} `missing-system-prompt` when `configurable` has no text at `promptKey`
 * @throws {@link SpecError} `opaque-object` when the schema of a tool does not show its JSON Schema
 * @example
 * ```ts
 * import { hashSpec } from "@agentprint/drover";
 * import { specFromLangGraph } from "@agentprint/drover/langgraph";
 *
 * const configurable = { thread_id: "1", model: "large", systemPrompt: "Write." };
 * const spec = specFromLangGraph({ id: "writer", configurable });
 * const later = specFromLangGraph({ id: "writer", configurable: { ...configurable, thread_id: "2" } });
 * console.log(hashSpec(spec) === hashSpec(later)); // true
 * ```
 */
export function specFromLangGraph(definition: LangGraphDefinition): AgentSpec {
  const { id, configurable, promptKey = "systemPrompt", tools, graph } = definition;
  const prompt = configurable[promptKey];
  if (typeof prompt !== "string") {
    const path = `/configurable/${promptKey}`;
    throw new SpecError("missing-system-prompt", path, `${path} must be the system prompt; received ${typeof prompt}`);
  }
  const description = new Description(TOOL_CLASSES);
  const runKeys = Object.keys(configurable).filter((key) => RUN_KEYS.has(key) || key.startsWith("__pregel"));
  return {
    id,
    systemPrompt: prompt,
    model: description.object(configurable, ["configurable"], [promptKey, ...runKeys]),
    tools: describeTools(tools, description),
    subagents: describeGraph(graph, description),
    unseen: description.unseen,
  };
}

function describeTools(tools: readonly object[] | undefined, description: Description): object[] | undefined {
  if (tools === undefined) description.note(["tools"], "no tools were given: what the nodes call is not hashed");
  return tools?.map((tool, index) => description.object(tool, ["tools", index], TOOL_INTERNALS));
}

function describeGraph(graph: DrawableGraph | undefined, description: Description): object | undefined {
  const code =
    "nodes, conditions, reducers and the options of compile() are not hashed, but for interrupts at named nodes";
  description.note(["graph"], graph === undefined ? "no graph was given: nothing of it is hashed" : code);
  if (graph === undefined) return undefined;
  const metadata = Object.entries(graph.nodes).flatMap(([name, node]): [string, unknown][] => {
    const { metadata: given } = (node ?? {}) as { readonly metadata?: unknown };
    return given === undefined ? [] : [[name, description.value(given, ["graph", "nodes", name, "metadata"])]];
  });
  return {
    nodes: Object.keys(graph.nodes),
    metadata: metadata.length === 0 ? undefined : Object.fromEntries(metadata),
    edges: graph.edges.map(({ source, target, data, conditional = false }, index) => ({
      source,
      target,
      conditional,
      data: description.value(data, ["graph", "edges", index, "data"]),
    })),
  };
}
