import { toPointer } from "@agentprint/canonical-json";
import type { AgentSpec } from "../spec.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";
import { functionIds, plainFields } from "./plain-fields.ts";

/** The settings of an AI SDK agent, as far as they are its definition. */
export interface AiSdkAgentSettings {
  readonly id?: string | undefined;
  readonly model: string | { readonly provider: string; readonly modelId: string };
  /** A text, or system messages. */
  readonly instructions?: unknown;
  readonly tools?: object | undefined;
  /** An `Output`. */
  readonly output?: object | undefined;
  /** A schema of the options of a call. */
  readonly callOptionsSchema?: unknown;
}

/**
 * The spec of an AI SDK agent (`ToolLoopAgent` settings): model with its call settings, instructions, tools with their
 * JSON Schemas, output schema. Functions such as `stopWhen` and `prepareStep` count as plugins, by name.
 *
 * @throws SpecError `opaque-object` for a schema that does not show its JSON Schema
 *
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
  const { id = "agent", model, instructions, tools = {}, output, callOptionsSchema } = settings;
  return {
    id,
    model: {
      id: typeof model === "string" ? model : { provider: model.provider, modelId: model.modelId },
      settings: {
        ...plainFields(settings, ["id", "model", "instructions", "tools", "output", "callOptionsSchema"]),
        callOptionsSchema: await jsonSchemaOf(callOptionsSchema, "/callOptionsSchema"),
      },
    },
    systemPrompt: promptText(instructions),
    // Messages carry more than their text, such as provider options.
    promptTemplate: typeof instructions === "object" ? { instructions } : null,
    tools: Object.fromEntries(
      await Promise.all(Object.entries(tools).map(async ([name, tool]) => [name, await describeTool(tool, name)])),
    ),
    outputSchema: output === undefined ? undefined : await responseFormat(output),
    plugins: functionIds(settings, ["instructions", "callOptionsSchema"]),
  };
}

function promptText(instructions: unknown): string {
  if (instructions === undefined || typeof instructions === "string") return instructions ?? "";
  const messages = (Array.isArray(instructions) ? instructions : [instructions]) as { readonly content?: unknown }[];
  return messages.map((message) => String(message.content)).join("\n");
}

const TOOL_SCHEMAS = ["inputSchema", "outputSchema", "contextSchema"];

async function describeTool(tool: object, name: string): Promise<object> {
  const schemas = TOOL_SCHEMAS.map(async (key) => {
    const schema = (tool as { readonly [key: string]: unknown })[key];
    return [key, await jsonSchemaOf(schema, toPointer(["tools", name, key]))] as const;
  });
  return {
    ...plainFields(tool, TOOL_SCHEMAS),
    functions: functionIds(tool, TOOL_SCHEMAS).map(({ id }) => id),
    ...Object.fromEntries(await Promise.all(schemas)),
  };
}

async function responseFormat(output: object): Promise<unknown> {
  return "responseFormat" in output ? output.responseFormat : plainFields(output);
}
