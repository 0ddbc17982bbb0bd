import { SpecError } from "../errors.ts";
import type { AgentSpec } from "../spec.ts";

/** The drawable form of a LangGraph graph, as `getGraphAsync()` gives it. */
export interface DrawableGraph {
  readonly nodes: { readonly [id: string]: unknown };
  readonly edges: readonly { readonly source: string; readonly target: string; readonly conditional?: boolean }[];
}

/** A LangGraph graph and the configuration that it runs with. */
export interface LangGraphDefinition {
  readonly id: string;
  /** `config.configurable`. */
  readonly configurable: { readonly [key: string]: unknown };
  /** The member of `configurable` that is the system prompt. Default `"systemPrompt"`. */
  readonly promptKey?: string | undefined;
  readonly graph?: DrawableGraph | undefined;
}

/** These name a run, not a definition: they differ from one resume to the next. */
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
 * The spec of a LangGraph graph: `configurable` without what names the run, and the nodes and edges of the graph.
 * What nodes do is code, which is not seen: give the graph a new id when it changes.
 *
 * @throws SpecError `missing-system-prompt`
 *
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
  return {
    id,
    systemPrompt: prompt,
    model: Object.fromEntries(
      Object.entries(configurable).filter(
        ([key]) => key !== promptKey && !RUN_KEYS.has(key) && !key.startsWith("__pregel"),
      ),
    ),
    subagents: graph && {
      nodes: Object.keys(graph.nodes),
      edges: graph.edges.map(({ source, target, conditional = false }) => ({ source, target, conditional })),
    },
  };
}
