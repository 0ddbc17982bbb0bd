import { checkArgument } from "../check-argument.ts";
import type { Tool } from "../define/composable.ts";
import { tool } from "../define/tool.ts";
import { guarded } from "../errors.ts";
import type { EvaluatedTool } from "../evaluate/evaluated-tool.ts";
import type { SchemaOptions } from "../hash/hash-options.ts";
import { jsonSchema } from "../hash/json-schema.ts";
import { isOpaqueSchema } from "../hash/opaque-schemas.ts";
import { toolSchemaToHashInput } from "../hash/schema-hash-input.ts";
import { isStandardSchema, type SchemaResult, type StandardSchema } from "../hash/standard-schema.ts";
import type { ToolSpec } from "../hash/tool-spec.ts";
import { type AdapterOptions, missingHandler, unadaptable } from "./adapter-options.ts";
import { namesNotHashed } from "./not-hashed.ts";

export type { AdapterOptions };

/**
 * The members of a Vercel AI SDK tool that the adapter reads. `tool()` and `dynamicTool()` from `ai` return such
 * objects.
 */
export interface AiSdkTool {
  readonly type?: string | undefined;
  readonly description?: string | ((options: never) => string) | undefined;
  readonly inputSchema?: unknown;
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
}

/** The result of `jsonSchema()` from `ai`. */
interface AiSdkSchema {
  readonly jsonSchema: unknown;
  readonly validate?: (value: unknown) => AiSdkValidation | PromiseLike<AiSdkValidation>;
}
type AiSdkValidation =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error };

/**
 * Turns a Vercel AI SDK tool into a tool of this package.
 *
 * @param name - The tool's key in the tool set.
 * @param source - The result of `tool()` from `ai`.
 * @param options - Instructions, policies and hooks to add; `handler` instead of `execute`.
 * @returns A tool that runs `execute` without messages and with the context's signal. `notHashed` names the other
 * members.
 * @throws {@link CapabilityError} `invalid-argument` when the tool is defined by its provider, its description is a
 * function, or its JSON Schema is a promise
 * @throws {@link CapabilityError} `invalid-schema` when its schema is not JSON
 * @see Capability hashing, "Tool static hash (`kind: "tool"`)"
 * @example
 * ```ts
 * import { fromAiSdkTool } from "@agentprint/agent-capabilities/ai-sdk";
 * import { z } from "zod";
 *
 * const add = fromAiSdkTool("add", { description: "Adds one", inputSchema: z.number(), execute: (n: number) => n + 1 });
 * add.description; // "Adds one"
 * ```
 */
export function fromAiSdkTool<Env = unknown>(
  name: string,
  source: AiSdkTool,
  options: AdapterOptions<Env> = {},
): Tool<Env, StandardSchema, unknown> {
  checkArgument("options", options, "object");
  const {
    type = "function",
    description,
    execute,
    inputSchema,
    notHashed,
  } = guarded("invalid-argument", `AI SDK tool "${name}"`, () => ({
    type: source.type,
    description: source.description,
    execute: source.execute,
    inputSchema: source.inputSchema,
    notHashed: namesNotHashed(source, ["description", "inputSchema"]),
  }));
  if (type !== "function" && type !== "dynamic") {
    throw unadaptable(`AI SDK tool "${name}"`, `a ${type} tool is defined by its provider and has no definition here`);
  }
  if (typeof description === "function") {
    throw unadaptable(`AI SDK tool "${name}"`, "a description that depends on the call has no fingerprint");
  }
  const run = execute as ((input: unknown, call: unknown) => unknown) | undefined;
  return tool<StandardSchema, unknown, string, Env>({
    handler: run
      ? ({ signal }, input) => run(input, { toolCallId: name, messages: [], abortSignal: signal })
      : missingHandler(name),
    ...options,
    name,
    description,
    notHashed,
    inputSchema: guarded("invalid-schema", `AI SDK tool "${name}": its schema`, () =>
      schemaOf(name, inputSchema, options),
    ),
  });
}

/**
 * Returns evaluated tools as a Vercel AI SDK tool set, for `generateText({ tools })` and agents. The model is shown the
 * JSON Schema that was hashed, in which the AI SDK sets `additionalProperties: false`. `execute` validates the input;
 * the AI SDK does not validate it a second time.
 *
 * @param evaluation - The result of `evaluateComposable`.
 * @param options - The options with which the turn was hashed: `hashOptions` of `computeFullCapabilityLink`.
 * @returns A tool set.
 * @example
 * ```ts
 * import { evaluateComposable, tool } from "@agentprint/agent-capabilities";
 * import { toAiSdkTools } from "@agentprint/agent-capabilities/ai-sdk";
 * import { z } from "zod";
 *
 * const add = tool({ name: "add", inputSchema: z.number(), handler: (_ctx, n) => n + 1 });
 * const tools = toAiSdkTools(await evaluateComposable(add, { env: {} }));
 * await tools["add"]?.execute(1, {}); // 2
 * ```
 */
export function toAiSdkTools(
  evaluation: { readonly tools: object },
  options: SchemaOptions = {},
): Record<string, AiSdkFunctionTool> {
  checkArgument("evaluation", evaluation, { tools: "object" });
  checkArgument("options", options, "object");
  const tools = Object.values(evaluation.tools as Record<string, EvaluatedTool<unknown>>);
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema, execute }) => [
      name,
      {
        ...(description !== undefined && { description }),
        inputSchema: shownSchema({ name, inputSchema }, options),
        execute: (input, { abortSignal }) => execute(input, { signal: abortSignal }),
      },
    ]),
  );
}

/** A tool in the result of {@link toAiSdkTools}. */
export interface AiSdkFunctionTool {
  readonly description?: string;
  readonly inputSchema: AiSdkInputSchema;
  readonly execute: (input: unknown, options: { readonly abortSignal?: AbortSignal | undefined }) => Promise<unknown>;
}

/** The Standard Schema that the AI SDK receives. */
export interface AiSdkInputSchema {
  readonly "~standard": StandardSchema["~standard"] & { readonly version: 1 };
}

function schemaOf(name: string, schema: unknown, { validate }: Pick<AdapterOptions, "validate">): StandardSchema {
  if (isStandardSchema(schema)) return schema;
  const plain = (typeof schema === "function" ? schema() : schema) as AiSdkSchema | undefined;
  const json = plain?.jsonSchema;
  if (typeof json !== "object" || json === null || "then" in json) {
    throw unadaptable(`AI SDK tool "${name}"`, "expected an inputSchema that is a schema or jsonSchema(object)");
  }
  const check = plain?.validate;
  return jsonSchema(json, { validate: validate ?? (check && (async (value) => resultOf(await check(value)))) });
}

function resultOf(validation: AiSdkValidation): SchemaResult<unknown> {
  return validation.success ? { value: validation.value } : { issues: [{ message: validation.error.message }] };
}

/**
 * Returns a schema that shows the hashed JSON Schema and accepts any input. An opaque schema is passed to the AI SDK
 * unchanged.
 */
function shownSchema(tool: Pick<ToolSpec, "name" | "inputSchema">, options: SchemaOptions): AiSdkInputSchema {
  if (isOpaqueSchema(tool.inputSchema, options)) return tool.inputSchema as AiSdkInputSchema;
  const wrapped = jsonSchema(toolSchemaToHashInput(tool, options) as object, { validate: (value) => ({ value }) });
  return wrapped as AiSdkInputSchema;
}
