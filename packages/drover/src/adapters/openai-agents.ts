import { isPlainObject, type PathSegment } from "@agentprint/canonical-json";
import { sourceOf } from "../covered-fields.ts";
import type { AgentSpec, SystemPrompt } from "../spec.ts";
import { classOf, Description, inOrder, modelNames } from "./description.ts";
import { wrongArgument } from "./wrong-argument.ts";

/** The members that define an OpenAI Agents SDK agent. */
export interface OpenAiAgent {
  readonly name: string;
  readonly instructions: unknown;
  /** A name, or a model object, of which only the names are hashed. */
  readonly model?: unknown;
  readonly modelSettings?: object;
  readonly tools?: readonly object[];
  readonly mcpServers?: readonly { readonly name: string }[];
  /** Agents, or handoffs to agents. */
  readonly handoffs?: readonly object[];
  readonly inputGuardrails?: readonly { readonly name: string }[];
  readonly outputGuardrails?: readonly { readonly name: string }[];
  readonly outputType?: unknown;
  readonly toolUseBehavior?: unknown;
  readonly prompt?: unknown;
}

/** The members that have their own field in the spec, and the listeners for the agent's events. */
const PLACED = [
  "name",
  "instructions",
  "model",
  "modelSettings",
  "tools",
  "mcpServers",
  "handoffs",
  "outputType",
  "toolUseBehavior",
  "prompt",
  "eventEmitter",
];

const UNSEEN_OF_MODELS = "only the names in a model object are hashed: not its settings, its client or its code";

const KEPT = "anything that an agent does not expose is not hashed, such as handoffOutputTypeWarningEnabled";

const INSIDE_INVOKE =
  "what it closes over is not hashed: execute, errorFunction and refinements of parameters; for asTool(), the agent and customOutputExtractor, includeInputSchema, inputBuilder, onStream, onStreamMaxPendingEvents, resumeState, runConfig, runOptions or others";

const SDK_CLASSES = ["Agent", "Handoff"];

type Path = readonly PathSegment[];

/**
 * Returns the spec of an OpenAI Agents agent: the model with its settings and all other members of the agent, the
 * instructions (a function by its source), the tools with their JSON Schemas, the MCP servers by name, the agents
 * behind its handoffs, the output type, and the guardrails, which are also listed as plugins by name. The code of
 * functions and classes is not hashed; `unseen` names these parts.
 *
 * @throws {@link SpecError} `invalid-spec` when `agent` is not an object with a name
 * @throws {@link SpecError} `opaque-object` when the output type does not expose its JSON Schema
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
  if (typeof agent !== "object" || agent === null || typeof agent.name !== "string") {
    throw wrongArgument("specFromOpenAiAgent", "an Agent of @openai/agents", agent);
  }
  const description = new Description(SDK_CLASSES);
  const spec = (await description.once(agent, [], () => describeAgent(agent, [], description))) as AgentSpec;
  return { ...spec, unseen: description.unseen };
}

async function describeAgent(agent: OpenAiAgent, path: Path, description: Description): Promise<AgentSpec> {
  const { tools = [], mcpServers = [], handoffs = [], inputGuardrails = [], outputGuardrails = [] } = agent;
  const isList = typeof agent.instructions === "object" && agent.instructions !== null;
  if (!isPlainObject(agent)) description.note(path, KEPT);
  noteListeners(agent, path, description);
  return {
    id: agent.name,
    model: {
      ...describeModel(agent.model, [...path, "model"], description),
      settings: description.value(agent.modelSettings, [...path, "modelSettings"]),
      toolUseBehavior: describeBehavior(agent.toolUseBehavior, [...path, "toolUseBehavior"], description),
      agent: description.object(agent, path, PLACED),
      // Text may equal the JSON of a list, but it is a different prompt.
      instructions: isList ? description.value(agent.instructions, [...path, "instructions"]) : undefined,
    },
    systemPrompt: (isList ? JSON.stringify(agent.instructions) : agent.instructions) as SystemPrompt,
    promptTemplate: describePrompt(agent.prompt, [...path, "prompt"], description),
    tools: tools.map((tool, index) => describeTool(tool, [...path, "tools", index], description)),
    mcpServers: mcpServers.map(({ name }, index) => {
      description.note([...path, "mcpServers", index], "an MCP server is hashed by its name, not by how it is reached");
      return name;
    }),
    subagents: await inOrder(handoffs, (handoff, index) =>
      describeHandoff(handoff, [...path, "handoffs", index], description),
    ),
    outputSchema: await description.schema(agent.outputType, [...path, "outputType"]),
    plugins: [...inputGuardrails, ...outputGuardrails].map(({ name }) => ({ id: name })),
  };
}

function describeTool(tool: object, path: Path, description: Description): object {
  if ("invoke" in tool) description.note([...path, "invoke"], INSIDE_INVOKE);
  return { functions: [], ...description.object(tool, path) };
}

function describeModel(model: unknown, path: Path, description: Description): object {
  if (typeof model !== "object" || model === null) return { id: model };
  description.note(path, UNSEEN_OF_MODELS);
  return { id: classOf(model), names: modelNames(model) };
}

function describeBehavior(behavior: unknown, path: Path, description: Description): unknown {
  if (typeof behavior !== "function") return description.value(behavior, path);
  description.note(path, "the code of a function that decides is not hashed");
  return "function";
}

function describePrompt(prompt: unknown, path: Path, description: Description): unknown {
  if (typeof prompt !== "function") return description.value(prompt, path);
  description.note(path, "the prompt is a function: only its source is hashed, not the values it closes over");
  return { source: sourceOf(prompt as () => unknown) };
}

/** Describes an agent, or a handoff together with the agent to which it leads. */
async function describeHandoff(handoff: object, path: Path, description: Description): Promise<unknown> {
  if ("instructions" in handoff) return describeSubagent(handoff as OpenAiAgent, path, description);
  const members = description.object(handoff, path, ["agent"]);
  const { agent } = handoff as { readonly agent?: unknown };
  if (typeof agent !== "object" || agent === null || !("instructions" in agent)) return members;
  return { ...members, agent: await describeSubagent(agent as OpenAiAgent, [...path, "agent"], description) };
}

function describeSubagent(agent: OpenAiAgent, path: Path, description: Description): unknown {
  return description.once(agent, path, async () => {
    const spec = await describeAgent(agent, path, description);
    if (typeof spec.systemPrompt !== "function") return spec;
    const instructions = [...path, "instructions"];
    return { ...spec, systemPrompt: describePrompt(spec.systemPrompt, instructions, description) };
  });
}

/** Notes the listeners for the agent's events, if there are any, because their code is not hashed. */
function noteListeners(agent: object, path: Path, description: Description): void {
  const { eventEmitter } = agent as { readonly eventEmitter?: { eventNames?(): readonly unknown[] } };
  const names = eventEmitter?.eventNames?.() ?? [];
  if (names.length > 0) description.note([...path, "eventEmitter"], "listeners for the agent's events are not hashed");
}
