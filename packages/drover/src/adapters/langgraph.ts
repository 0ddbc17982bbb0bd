import { SpecError } from "../errors.ts";
import type { AgentSpec } from "../spec.ts";
import { Description } from "./description.ts";

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

/**
 * The spec of a LangGraph graph: `configurable` without the members that identify the run, and the nodes and edges of the graph
 * with their metadata and labels. The code of nodes and conditions is not hashed: give the graph a new id when that code
 * changes. `unseen` names these parts.
 *
 * @throws {@link SpecError} `missing-system-prompt` when `configurable` has no text at `promptKey`
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
  const { id, configurable, promptKey = "systemPrompt", graph } = definition;
  const prompt = configurable[promptKey];
  if (typeof prompt !== "string") {
    const path = `/configurable/${promptKey}`;
    throw new SpecError("missing-system-prompt", path, `${path} must be the system prompt; received ${typeof prompt}`);
  }
  const description = new Description();
  const runKeys = Object.keys(configurable).filter((key) => RUN_KEYS.has(key) || key.startsWith("__pregel"));
  return {
    id,
    systemPrompt: prompt,
    model: description.object(configurable, ["configurable"], [promptKey, ...runKeys]),
    subagents: describeGraph(graph, description),
    unseen: description.unseen,
  };
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
