import type { AgentSpec, SystemPrompt } from "../spec.ts";
import { Description, inOrder, modelNames } from "./description.ts";
import { wrongArgument } from "./wrong-argument.ts";

/** The settings that define an AI SDK agent. */
export interface AiSdkAgentSettings {
  readonly id?: string | undefined;
  readonly model: string | { readonly provider: string; readonly modelId: string };
  /** Text, or system messages. */
  readonly instructions?: unknown;
  readonly tools?: object | undefined;
  /** An `Output`. */
  readonly output?: object | undefined;
  /** The schema for a call's options. */
  readonly callOptionsSchema?: unknown;
}

/** The settings that have their own field in the spec. */
const PLACED = ["id", "model", "instructions", "tools", "output", "callOptionsSchema"];

/**
 * Returns the spec of an AI SDK agent (`ToolLoopAgent` settings): the model with its call settings and the order of the
 * tools, the instructions, the tools with their JSON Schemas, and the output schema. Functions such as `stopWhen` and
 * `prepareStep` count as plugins, by name. The code of functions, classes and model objects is not hashed; `unseen`
 * names these parts.
 *
 * @throws {@link SpecError} `invalid-spec` when `settings` is not an object with a model, such as a `ToolLoopAgent`,
 * whose settings are private
 * @throws {@link SpecError} `opaque-object` when a schema does not expose its JSON Schema
 * @example
 * ```ts
 * import { fingerprintSpec } from "@agentprint/drover";
 * import { specFromAiSdk } from "@agentprint/drover/ai-sdk";
 *
 * const spec = await specFromAiSdk({ id: "writer", model: "acme/large", instructions: "Write." });
 * console.log(Object.keys(fingerprintSpec(spec).fields).length); // 9
 * ```
 */
export async function specFromAiSdk(settings: AiSdkAgentSettings): Promise<AgentSpec> {
  if (!isSettings(settings)) throw wrongArgument("specFromAiSdk", "the settings of a ToolLoopAgent", settings);
  const { id = "agent", model, instructions, tools = {}, output, callOptionsSchema } = settings;
  const description = new Description();
  const { members: callSettings, functions } = description.members(settings, [], PLACED);
  return {
    id,
    model: {
      id: describeModel(model, description),
      settings: {
        ...callSettings,
        callOptionsSchema: await description.schema(callOptionsSchema, ["callOptionsSchema"]),
      },
      toolOrder: Object.keys(tools),
    },
    systemPrompt: promptText(instructions),
    // The prompt contains only the messages' texts. The messages' other members, such as provider options, are hashed
    // here.
    promptTemplate:
      typeof instructions === "object" ? { instructions: description.value(instructions, ["instructions"]) } : null,
    tools: Object.fromEntries(
      await inOrder(
        Object.entries(tools),
        async ([name, tool]) =>
          [name, await description.tool(tool, ["tools", name], { schemas: TOOL_SCHEMAS })] as const,
      ),
    ),
    outputSchema: output === undefined ? undefined : await describeOutput(output, description),
    plugins: functions.map((name) => ({ id: name })),
    unseen: description.unseen,
  };
}

/**
 * Returns whether a value can be an agent's settings. Settings have a model, whereas an agent itself has functions that
 * run it.
 */
function isSettings(settings: unknown): settings is AiSdkAgentSettings {
  if (typeof settings !== "object" || settings === null || "generate" in settings) return false;
  const { model, tools = {} } = settings as { readonly model?: unknown; readonly tools?: unknown };
  const isModel = typeof model === "string" || (typeof model === "object" && model !== null);
  return isModel && typeof tools === "object" && tools !== null && !Array.isArray(tools);
}

function describeModel(model: string | object, description: Description): unknown {
  if (typeof model === "string") return model;
  const unseen =
    "only the provider and the model of a model object are hashed: not its settings, middleware, base URL or code";
  description.note(["model"], unseen);
  return modelNames(model);
}

function promptText(instructions: unknown): SystemPrompt {
  if (typeof instructions === "function") return instructions as SystemPrompt;
  if (instructions === undefined || typeof instructions === "string") return instructions ?? "";
  const messages = (Array.isArray(instructions) ? instructions : [instructions]) as { readonly content?: unknown }[];
  return messages.map((message) => String(message.content)).join("\n");
}

const TOOL_SCHEMAS = ["inputSchema", "outputSchema", "contextSchema"];

/**
 * Returns the response format that the output setting requests from the model. The code that parses the answer is not
 * hashed.
 */
async function describeOutput(output: object, description: Description): Promise<unknown> {
  const members = description.object(output, ["output"], ["responseFormat"]);
  return "responseFormat" in output ? output.responseFormat : members;
}
