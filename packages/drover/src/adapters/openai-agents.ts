import type { AgentSpec, SystemPrompt } from "../spec.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";
import { functionIds, plainFields } from "./plain-fields.ts";

/** An agent of the OpenAI Agents SDK, as far as it is a definition. */
export interface OpenAiAgent {
  readonly name: string;
  readonly instructions: unknown;
  /** A name, or a model object, of which only its class is seen. */
  readonly model?: unknown;
  readonly modelSettings?: object;
  readonly tools?: readonly object[];
  readonly mcpServers?: readonly { readonly name: string }[];
  /** Agents, or handoffs to them. */
  readonly handoffs?: readonly object[];
  readonly inputGuardrails?: readonly { readonly name: string }[];
  readonly outputGuardrails?: readonly { readonly name: string }[];
  readonly outputType?: unknown;
  readonly toolUseBehavior?: unknown;
  readonly prompt?: unknown;
}

/**
 * The spec of an OpenAI Agents agent: model with its settings, instructions (a function by its source), tools with their
 * JSON Schemas, MCP servers and handoffs by name, output type, guardrails as plugins, by name.
 *
 * @throws SpecError `opaque-object` for an output type that does not show its JSON Schema
 *
 * @example
 * ```ts
 * import { hashSpec } from "@agentprint/drover";
 * import { specFromOpenAiAgent } from "@agentprint/drover/openai-agents";
 *
 * const spec = await specFromOpenAiAgent({ name: "writer", instructions: "Write.", model: "large" });
 * console.log(hashSpec(spec) === hashSpec({ ...spec, systemPrompt: "Rewrite." })); // false
 * ```
 */
export async function specFromOpenAiAgent(agent: OpenAiAgent): Promise<AgentSpec> {
  const { model, tools = [], mcpServers = [], handoffs = [], inputGuardrails = [], outputGuardrails = [] } = agent;
  const behavior = agent.toolUseBehavior;
  return {
    id: agent.name,
    model: {
      id: typeof model === "object" && model !== null ? model.constructor.name : model,
      settings: agent.modelSettings,
      toolUseBehavior: typeof behavior === "function" ? "function" : behavior,
    },
    systemPrompt: agent.instructions as SystemPrompt,
    promptTemplate: typeof agent.prompt === "function" ? { source: String(agent.prompt) } : agent.prompt,
    tools: tools.map((tool) => ({ ...plainFields(tool), functions: functionIds(tool).map(({ id }) => id) })),
    mcpServers: mcpServers.map(({ name }) => name),
    subagents: handoffs.map(describeHandoff),
    outputSchema: await jsonSchemaOf(agent.outputType, "/outputType"),
    plugins: [...inputGuardrails, ...outputGuardrails].map(({ name }) => ({ id: name })),
  };
}

/** An agent by its name; a handoff by its tool, without the agent that it leads to. */
function describeHandoff(handoff: object): unknown {
  return "instructions" in handoff ? (handoff as OpenAiAgent).name : plainFields(handoff, ["agent"]);
}
