import { isObject, type PathSegment } from "@agentprint/canonical-json";
import { SpecError } from "../errors.ts";
import type { AgentSpec } from "../spec.ts";
import { Description } from "./description.ts";
import { wrongArgument } from "./wrong-argument.ts";

export {
  type CheckpointConfig,
  type Checkpointer,
  type GuardCheckpointerOptions,
  guardCheckpointer,
} from "./guard-checkpointer.ts";

/** An edge in a drawable graph. */
export interface DrawableEdge {
  readonly source: string;
  readonly target: string;
  /** The label of a condition. */
  readonly data?: unknown;
  readonly conditional?: boolean;
}

/** A LangGraph graph in its drawable form, which `getGraphAsync()` returns. */
export interface DrawableGraph {
  /** By id. A node has `metadata`, which also says where the graph interrupts, and the code that runs there as `data`. */
  readonly nodes: { readonly [id: string]: unknown };
  readonly edges: readonly DrawableEdge[];
}

/** A LangGraph graph and the configuration with which it runs. */
export interface LangGraphDefinition {
  readonly id: string;
  /** `config.configurable`. */
  readonly configurable: { readonly [key: string]: unknown };
  /** The `configurable` key that holds the system prompt. Default `"systemPrompt"`. */
  readonly promptKey?: string | undefined;
  /** The tools that the nodes call: LangChain tools, or definitions that a model provider accepts. */
  readonly tools?: readonly object[] | undefined;
  readonly graph?: DrawableGraph | undefined;
}

/** The members that identify a run. They are omitted because they differ from one resume to the next. */
const RUN_KEYS: ReadonlySet<string> = new Set([
  "thread_id",
  "thread_ts",
  "checkpoint_id",
  "checkpoint_map",
  "checkpoint_ns",
  "run_id",
  "task_id",
]);

/** The members of a LangChain tool that repeat other members. */
const TOOL_INTERNALS = ["lc_kwargs", "lc_runnable", "lc_serializable"];

const UNSEEN_OF_GRAPHS = [
  "the code of nodes and conditions and the state's reducers and schemas are not hashed",
  "only the options metadata and ends of a node are hashed: not cachePolicy, defer, errorHandler, input, retryPolicy, subgraphs, timeout, tracePolicy or others",
  "only the options interruptBefore and interruptAfter of compile(), with names of nodes, are hashed: not cache, checkpointer, description, name, store, transformers or others",
  "only the option nodes of createAgent() is hashed: not checkpointer, contextSchema, description, includeAgentName, middleware, model, name, responseFormat, signal, stateSchema, store, streamTransformers, systemPrompt, tools, version or others",
];

const TOOL_CLASSES = ["DynamicStructuredTool", "DynamicTool"];

/**
 * Returns the spec of a LangGraph graph: `configurable` without the members that identify the run, the tools with their
 * JSON Schemas, and the graph's nodes and edges with their metadata and labels. The code of nodes and conditions is not
 * hashed: give the graph a new id when that code changes. `unseen` names these parts.
 *
 * @throws {@link SpecError} `invalid-spec` when the definition has no `configurable`, `tools` is not an array, or
 * `graph` is not a drawable graph, such as a compiled one
 * @throws {@link SpecError} `missing-system-prompt` when `configurable` has no text at `promptKey`
 * @throws {@link SpecError} `opaque-object` when a tool's schema does not expose its JSON Schema
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
  checkDefinition(definition);
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
  if (tools === undefined) description.note(["tools"], "no tools were given, so tools that nodes call are not hashed");
  return tools?.map((tool, index) => describeTool(tool, ["tools", index], description));
}

/**
 * Describes a tool, without a default that every LangChain tool has. Options that the tool holds only in their original
 * form may be secrets.
 */
function describeTool(tool: object, path: readonly PathSegment[], description: Description): object {
  const { verbose, lc_kwargs: given } = (tool ?? {}) as { readonly verbose?: unknown; readonly lc_kwargs?: unknown };
  const hidden = isObject(given)
    ? Object.keys(given).filter((name) => !(name in tool) && given[name] !== undefined)
    : [];
  if (hidden.length > 0) description.note(path, `options found only in lc_kwargs are not hashed: ${hidden.join(", ")}`);
  return description.object(tool, path, verbose === false ? [...TOOL_INTERNALS, "verbose"] : TOOL_INTERNALS);
}

function checkDefinition(definition: unknown): void {
  const expected = "{ id, configurable, tools, graph }";
  if (!isObject(definition)) throw wrongArgument("specFromLangGraph", expected, definition);
  const { configurable, tools, graph } = definition;
  if (!isObject(configurable))
    throw wrongArgument("specFromLangGraph: configurable", "config.configurable", configurable);
  if (tools !== undefined && !Array.isArray(tools)) throw wrongArgument("specFromLangGraph: tools", "an array", tools);
  if (graph === undefined || (isObject(graph) && isObject(graph["nodes"]) && Array.isArray(graph["edges"]))) return;
  throw wrongArgument("specFromLangGraph: graph", "the result of getGraphAsync()", graph);
}

function describeGraph(graph: DrawableGraph | undefined, description: Description): object | undefined {
  if (graph === undefined) description.note(["graph"], "no graph was given, so none is hashed");
  else for (const message of UNSEEN_OF_GRAPHS) description.note(["graph"], message);
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
