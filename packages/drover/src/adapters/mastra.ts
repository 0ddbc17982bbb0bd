import type { PathSegment } from "@agentprint/canonical-json";
import type { AgentSpec } from "../spec.ts";
import { classOf, Description, inOrder, modelNames } from "./description.ts";
import { describeOptions } from "./mastra-options.ts";
import { wrongArgument } from "./wrong-argument.ts";

/** The input with which an agent resolves its members: `requestContext`, if it depends on one. */
export interface MastraResolution {
  readonly requestContext?: unknown;
}

/** The functions of a Mastra agent that return its definition. */
export interface MastraAgent {
  readonly id: string;
  readonly name?: string;
  readonly maxRetries?: number;
  getDescription(): unknown;
  getInstructions(options?: never): unknown;
  getModel(options?: never): unknown;
  getModelList(requestContext?: never): unknown;
  getDefaultOptions(options?: never): unknown;
  getConfiguredProcessorIds(requestContext?: never): unknown;
  getMemory(options?: never): unknown;
  listTools(options?: never): unknown;
  listAgents(options?: never): unknown;
  listWorkflows(options?: never): unknown;
}

type Path = readonly PathSegment[];
type Members = { readonly [name: string]: object };

const TOOL_SCHEMAS = ["inputSchema", "outputSchema", "suspendSchema", "resumeSchema", "requestContextSchema"];

/**
 * Returns the spec of a Mastra agent as it resolves now, including a stored agent with published versions: the
 * instructions, the model with the default options, the tools with their JSON Schemas, the agents and workflows that it
 * can call, the processors as plugins, its memory's options, and every other option and member that the agent exposes.
 * The code of functions and classes and the agent's private options are not hashed; `unseen` names these parts.
 *
 * @param agent - An `Agent`, such as `await mastra.getAgentById(id, { status: "published" })`.
 * @throws {@link SpecError} `invalid-spec` when `agent` is not an agent but, for example, an agent's configuration
 * @throws {@link SpecError} `opaque-object` when a schema does not expose its JSON Schema
 * @example
 * ```typescript
 * const spec = await specFromMastraAgent(await mastra.getAgentById("writer", { status: "published" }));
 * const text = pauseRun(spec, runId, { toolCallId });
 * ```
 */
export async function specFromMastraAgent(agent: MastraAgent, resolution: MastraResolution = {}): Promise<AgentSpec> {
  if (!isAgent(agent)) throw wrongArgument("specFromMastraAgent", "an Agent of @mastra/core", agent);
  const description = new Description(["Agent", "DurableAgent", "Tool"]);
  const spec = (await description.once(agent, [], () =>
    describeAgent(agent, [], resolution, description),
  )) as AgentSpec;
  return { ...spec, unseen: description.unseen };
}

function isAgent(agent: unknown): agent is MastraAgent {
  return typeof agent === "object" && agent !== null && "getModelList" in agent && "getInstructions" in agent;
}

async function describeAgent(
  agent: MastraAgent,
  path: Path,
  resolution: MastraResolution,
  description: Description,
): Promise<AgentSpec> {
  const options = resolution as never;
  const requestContext = resolution.requestContext as never;
  const instructions = await agent.getInstructions(options);
  const memory = await agent.getMemory(options);
  const tools = Object.entries((await agent.listTools(options)) as Members);
  const processors = (await agent.getConfiguredProcessorIds(requestContext)) as Record<string, readonly string[]>;
  const others = await describeOptions(agent, path, resolution, description);
  return {
    id: agent.id,
    systemPrompt: typeof instructions === "string" ? instructions : JSON.stringify(instructions),
    // Text may equal the JSON of messages, but it is a different prompt.
    promptTemplate:
      typeof instructions === "string"
        ? undefined
        : { instructions: description.value(instructions, [...path, "instructions"]) },
    model: {
      name: agent.name,
      description: agent.getDescription(),
      maxRetries: agent.maxRetries,
      models: await describeModels(agent, options, path, description),
      options: description.value(await agent.getDefaultOptions(options), [...path, "defaultOptions"]),
      toolOrder: tools.map(([name]) => name),
      ...(Object.keys(others).length > 0 && { agent: others }),
    },
    tools: Object.fromEntries(await describeTools(tools, [...path, "tools"], description)),
    subagents: {
      agents: await describeAgents(agent, path, resolution, description),
      workflows: await describeWorkflows((await agent.listWorkflows(options)) as Members, path, description),
    },
    memory: memory === undefined ? null : describeMemory(memory as object, [...path, "memory"], description),
    plugins: await describeProcessors(agent, resolution, processors, path, description),
  };
}

/** The members of entries in a list of models that are created again each time or are the model itself. */
const ENTRY_MEMBERS = ["id", "model"];

async function describeModels(agent: MastraAgent, options: never, path: Path, description: Description) {
  const { requestContext } = options as { readonly requestContext: never };
  const list = (await agent.getModelList(requestContext)) as readonly { readonly model: object }[] | null;
  const entries = list ?? [{ model: (await agent.getModel(options)) as object }];
  description.note(
    [...path, "model"],
    "only a model's provider and name are hashed: not its settings, base URL or code",
  );
  return entries.map((entry, index) => ({
    ...description.object(entry, [...path, "model", index], ENTRY_MEMBERS),
    names: modelNames(entry.model),
  }));
}

function describeTools(tools: readonly (readonly [string, object])[], path: Path, description: Description) {
  return inOrder(tools, async ([name, tool]) => {
    if ((tool as { readonly mastra?: unknown }).mastra !== undefined) {
      description.note([...path, name, "mastra"], "a tool's Mastra instance is not hashed");
    }
    const described = await description.tool(tool, [...path, name], { schemas: TOOL_SCHEMAS, except: ["mastra"] });
    return [name, described] as const;
  });
}

async function describeAgents(agent: MastraAgent, path: Path, resolution: MastraResolution, description: Description) {
  const agents = Object.entries((await agent.listAgents(resolution as never)) as Members);
  const described = await inOrder(agents, async ([name, subagent]) => {
    const place = [...path, "agents", name];
    return [name, await describeSubagent(subagent, place, resolution, description)] as const;
  });
  return Object.fromEntries(described);
}

/** Describes an agent that another agent can call; an agent of another framework is described by its members. */
async function describeSubagent(agent: object, path: Path, resolution: MastraResolution, description: Description) {
  if (!isAgent(agent)) return description.object(agent, path);
  return description.once(agent, path, () => describeAgent(agent, path, resolution, description));
}

/** The members that define a workflow; the others are its code and its runtime. */
const WORKFLOW_SCHEMAS = ["inputSchema", "outputSchema", "stateSchema"];

async function describeWorkflows(workflows: Members, path: Path, description: Description) {
  const described = await inOrder(Object.entries(workflows), async ([name, workflow]) => {
    const place = [...path, "workflows", name];
    description.note(
      place,
      "only a workflow's id, description, schemas and steps are hashed: not its other options or its code",
    );
    const { id, description: text, serializedStepGraph } = workflow as { readonly [member: string]: unknown };
    const steps = description.value(serializedStepGraph, [...place, "serializedStepGraph"]);
    const schemas = await inOrder(WORKFLOW_SCHEMAS, async (key) => {
      const schema = (workflow as { readonly [key: string]: unknown })[key];
      return [key, await description.schema(schema, [...place, key])] as const;
    });
    return [name, { id, description: text, steps, ...Object.fromEntries(schemas) }] as const;
  });
  return Object.fromEntries(described);
}

function describeMemory(memory: object, path: Path, description: Description): object {
  description.note(path, "for a memory, only its class and options are hashed, not its contents, storage or code");
  const { getMergedThreadConfig: options } = memory as { getMergedThreadConfig?(): unknown };
  return { class: classOf(memory), options: description.value(options?.call(memory), [...path, "options"]) };
}

/** For each kind of processor, the agent's function that lists the configured processors. */
const LISTS: readonly (readonly [kind: string, method: string])[] = [
  ["inputProcessors", "listConfiguredInputProcessors"],
  ["outputProcessors", "listConfiguredOutputProcessors"],
  ["errorProcessors", "listErrorProcessors"],
];

async function describeProcessors(
  agent: object,
  { requestContext }: MastraResolution,
  processors: Record<string, readonly string[]>,
  path: Path,
  description: Description,
) {
  for (const [kind, method] of LISTS) {
    const list = (agent as { readonly [name: string]: unknown })[method];
    const configured: unknown = typeof list === "function" ? await list.call(agent, requestContext) : [];
    const isNamed = (processor: unknown): boolean => Boolean((processor as { readonly id?: unknown } | null)?.id);
    if (Array.isArray(configured) && !configured.every(isNamed)) {
      description.note([...path, kind], "a processor without an id is not hashed");
    }
  }
  return Object.entries(processors).flatMap(([key, ids]) => {
    const kind = key.replace(/Ids$/, "s");
    if (ids.length > 0)
      description.note([...path, kind], "processors are hashed by their ids: not their options or their code");
    return ids.map((id) => ({ id: `${kind}/${id}` }));
  });
}
