import { checkArgument } from "../check-argument.ts";
import type { Tool } from "../define/composable.ts";
import { tool } from "../define/tool.ts";
import { guarded } from "../errors.ts";
import { type JsonSchemaWrapper, jsonSchema } from "../hash/json-schema.ts";
import { type AdapterOptions, missingHandler, unadaptable } from "./adapter-options.ts";
import { namesNotHashed } from "./not-hashed.ts";

export type { AdapterOptions };

/**
 * The members of an OpenAI Agents SDK function tool that the adapter reads. `tool()` from `@openai/agents` returns such
 * objects.
 */
export interface OpenAiFunctionTool {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  /** JSON Schema, as the SDK sends it to the model. */
  readonly parameters: object;
  readonly invoke: (runContext: never, input: string, details?: never) => Promise<unknown>;
}

/** Options of {@link fromOpenAiTool}. */
export interface OpenAiAdapterOptions<Env> extends AdapterOptions<Env> {
  /**
   * The SDK's `new RunContext(…)`, for `invoke`. Without `runContext` and `handler` the tool can be hashed but not run.
   */
  readonly runContext?: unknown;
}

const COVERED = ["type", "name", "description", "parameters"];

/** Options of `tool()` that its result keeps only inside the function `invoke`. */
const INSIDE_INVOKE = ["errorFunction", "execute"];

/**
 * Turns an OpenAI Agents SDK function tool into a tool of this package. Its static hash covers the JSON Schema that the
 * SDK made from the tool's parameters.
 *
 * @param source - The result of `tool()` from `@openai/agents`.
 * @param options - `runContext` (or `handler`) and `validate` make it executable.
 * @returns A tool. `notHashed` names the members that its hash leaves out, such as `needsApproval` and guardrails.
 * @throws {@link CapabilityError} `invalid-argument` when the tool is hosted
 * @throws {@link CapabilityError} `invalid-schema` when its parameters are not JSON Schema
 * @see Capability hashing, "Tool static hash (`kind: "tool"`)"
 * @example
 * ```ts
 * import { fromOpenAiTool } from "@agentprint/agent-capabilities/openai";
 *
 * const parameters = { type: "object", properties: {}, required: [], additionalProperties: false };
 * const now = fromOpenAiTool({ type: "function", name: "now", description: "Time", parameters, invoke: async () => "12:00" });
 * now.name; // "now"
 * ```
 */
export function fromOpenAiTool<Env = unknown>(
  source: OpenAiFunctionTool,
  options: OpenAiAdapterOptions<Env> = {},
): Tool<Env, JsonSchemaWrapper, unknown> {
  checkArgument("options", options, "object");
  const { type, name, description, parameters, notHashed } = guarded("invalid-argument", "OpenAI tool", () => ({
    type: source.type,
    name: source.name,
    description: source.description,
    parameters: source.parameters,
    notHashed: [...new Set([...namesNotHashed(source, COVERED), ...INSIDE_INVOKE])].sort(),
  }));
  if (type !== "function") {
    throw unadaptable(`OpenAI tool "${name}"`, `a ${type} tool is defined by its provider and has no definition here`);
  }
  const { runContext, validate, ...added } = options;
  return tool<JsonSchemaWrapper, unknown, string, Env>({
    handler:
      runContext === undefined
        ? missingHandler(name)
        : ({ signal }, input) =>
            source.invoke(runContext as never, JSON.stringify(input), (signal && { signal }) as never),
    ...added,
    name,
    description,
    notHashed,
    inputSchema: jsonSchema(parameters, { validate }),
  });
}
