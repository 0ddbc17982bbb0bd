import { isJsonObject, isSameJson, type JsonObject } from "@agentprint/canonical-json/json-value";
import { asSchema, jsonSchema, type ToolSet } from "ai";
import { checkArgument } from "../check-argument.ts";
import { GuardError } from "../errors.ts";
import type { Guard } from "../guard.ts";
import { definitionOf, jsonOf } from "./json-text.ts";
import { type ListTools, ToolDesk, type ToolPage } from "./tool-desk.ts";

export { lockTools } from "@agentprint/mcp-lock";
export type { ListTools, ToolPage };

/** Options for {@link guardTools}. */
export interface GuardToolsOptions {
  /**
   * Returns the current definitions. For tools from `createMCPClient`, the server's own list: `(cursor) =>
   * client.listTools({ params: { cursor } })`. Default: {@link describeTools} of the given tools.
   */
  readonly list?: ListTools;
}

/**
 * Guards AI SDK tools. Removes tools that are neither in the lock nor allowed by the policy, and gives a tool that the
 * policy freezes the locked text and schema. Before `execute` runs, verifies the definitions again (as the guard's
 * `recheckMs` requires) and judges the call.
 *
 * @returns The permitted tools, with the type of the given tools. A refused call rejects with {@link GuardError}
 * `refused`, which the AI SDK passes to the model. For a tool that yields several values, `execute` returns the last
 * one.
 * @throws {@link GuardError} `not-listed` when the definitions cannot be listed or read.
 * @example
 * ```ts
 * import { createGuard } from "@agentprint/guard";
 * import { describeTools, guardTools, lockTools } from "@agentprint/guard/ai-sdk";
 * import { DEFAULT_POLICY } from "@agentprint/policy";
 * import { tool } from "ai";
 * import { z } from "zod";
 *
 * const add = tool({ description: "Adds one", inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n + 1 });
 * const lock = lockTools("own", await describeTools({ add })); // made once, reviewed, and kept
 *
 * const guard = createGuard({ lock, server: "own", policy: DEFAULT_POLICY });
 * const shell = tool({ inputSchema: z.object({ command: z.string() }), execute: ({ command }) => command });
 * const tools = await guardTools({ add, shell }, guard);
 * console.log(Object.keys(tools)); // [ 'add' ]
 * ```
 */
export async function guardTools<T extends ToolSet>(
  tools: T,
  guard: Guard,
  options: GuardToolsOptions = {},
): Promise<T> {
  checkArgument("tools", tools, "object");
  checkArgument("guard", guard, { connect: "function" });
  checkArgument("options", options, "object");
  const { list = async () => ({ tools: await describeTools(tools) }) } = options;
  const live = new Map<unknown, unknown>();
  const desk = new ToolDesk(guard, async (cursor) => {
    const page = await list(cursor);
    for (const tool of page.tools) live.set((tool as JsonObject)["name"], tool);
    return page;
  });
  const guarded = (await desk.shown()).flatMap((definition): [string, ToolSet[string]][] => {
    const { name } = definition;
    if (typeof name !== "string") return [];
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (tool === undefined) return [];
    const isAsIs = isSameJson(definition, jsonOf(live.get(name)));
    return [[name, withGuard(name, isAsIs ? tool : asLocked(tool, definition), desk)]];
  });
  return Object.fromEntries(guarded) as T;
}

/** Returns the tool with the locked definition. Its own schema still parses the input, and may transform it. */
function asLocked(tool: ToolSet[string], { description, title, inputSchema }: JsonObject): ToolSet[string] {
  const { validate } = asSchema(tool.inputSchema);
  const { description: _description, title: _title, ...rest } = tool;
  return {
    ...rest,
    ...(description !== undefined && { description }),
    ...(title !== undefined && { title }),
    inputSchema: jsonSchema(inputSchema as object, validate && { validate }),
  } as ToolSet[string];
}

function withGuard(name: string, tool: ToolSet[string], desk: ToolDesk): ToolSet[string] {
  const execute = tool.execute as ((input: unknown, options: { abortSignal?: AbortSignal }) => unknown) | undefined;
  if (execute === undefined) return tool;
  return {
    ...tool,
    execute: async (input: unknown, options: { abortSignal?: AbortSignal } = {}) => {
      const outcome = await desk.call({
        name,
        arguments: input,
        signal: options.abortSignal,
        run: async () => lastOf(await execute(input, options)),
      });
      if ("refused" in outcome) throw new GuardError("refused", outcome.refused);
      return outcome.value;
    },
  } as ToolSet[string];
}

/** Returns the last value that a tool yields, or its only value. */
async function lastOf(value: unknown): Promise<unknown> {
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return value;
  let last: unknown;
  for await (const each of value as AsyncIterable<unknown>) last = each;
  return last;
}

/**
 * Returns the definitions of AI SDK tools as a lock stores them: name, title, description, schemas, hints and, for a
 * provider's tool, its id and arguments. Omits a description that is a function, because it is the program's own text.
 *
 * @throws {@link GuardError} `not-json` when JSON cannot represent a definition.
 * @example
 * ```ts
 * import { describeTools } from "@agentprint/guard/ai-sdk";
 * import { tool } from "ai";
 * import { z } from "zod";
 *
 * const [add] = await describeTools({ add: tool({ description: "Adds one", inputSchema: z.object({ n: z.number() }) }) });
 * console.log(add?.["name"], add?.["description"]); // add Adds one
 * ```
 */
export async function describeTools(tools: ToolSet): Promise<JsonObject[]> {
  checkArgument("tools", tools, "object");
  for (const [name, tool] of Object.entries(tools)) checkArgument(`tools.${name}`, tool, "object");
  return Promise.all(Object.entries(tools).map(([name, tool]) => describe(name, tool)));
}

async function describe(name: string, tool: ToolSet[string]): Promise<JsonObject> {
  const { title, description, inputSchema, outputSchema, metadata, strict, inputExamples, id, args } = tool;
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  const definition = {
    name,
    title,
    description: typeof description === "string" ? description : undefined,
    inputSchema: await asSchema(inputSchema).jsonSchema,
    outputSchema: outputSchema && (await asSchema(outputSchema).jsonSchema),
    annotations,
    _meta: (tool as { readonly _meta?: unknown })._meta,
    strict,
    inputExamples,
    id,
    args,
  };
  return definitionOf(definition);
}
