import { isSameJson, type JsonObject } from "@agentprint/canonical-json/json-value";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import {
  type AgentMiddleware,
  createMiddleware,
  MiddlewareError,
  ToolInvocationError,
  ToolMessage,
  type WrapToolCallHook,
} from "langchain";
import type { Guard } from "../guard.ts";
import { definitionOf, jsonOf } from "./json-text.ts";
import { type ListTools, ToolDesk, type ToolPage } from "./tool-desk.ts";

export { lockTools } from "./lock-tools.ts";
export type { ListTools, ToolPage };

/** A tool as LangChain has it: a client's, or the record of one that a provider runs. */
export type LangChainTool = object;

/** Which tools a middleware guards, and where their definitions come from. */
export interface GuardMiddlewareOptions {
  /** Which tools the guard judges, by their names. Default: all. Others go on to the next middleware. */
  readonly owns?: (name: string) => boolean;
  /**
   * Gives the definitions as they are now. For tools of an MCP server, the server's own:
   * `(cursor) => client.listTools({ cursor })`. By default, {@link describeTools} of the tools of the agent.
   */
  readonly list?: ListTools;
}

/**
 * A middleware of LangChain that guards the tools of one agent. At each call of the model, tools that are not in the lock, or let through by
 * the policy, are taken out, and of those that the policy freezes the model gets the locked definition. Before a tool runs, its call is
 * judged; one that is refused becomes a message with `status: "error"`. Of what a tool gives, messages are judged, and commands are not.
 *
 * A tool that throws gives the model the message that it gets from LangChain in an agent without middleware. Put middleware that handles
 * such errors, as one that tries again, behind this one in the list.
 *
 * A call of the model rejects with {@link GuardError} `not-listed` when the definitions cannot be listed or not be read.
 *
 * @example
 * ```ts
 * import { createGuard } from "@agentprint/guard";
 * import { describeTools, guardMiddleware, lockTools } from "@agentprint/guard/langchain";
 * import { DEFAULT_POLICY } from "@agentprint/policy";
 * import { createAgent, fakeModel, tool } from "langchain";
 * import { z } from "zod";
 *
 * const add = tool(({ n }) => n + 1, { name: "add", description: "Adds one", schema: z.object({ n: z.number() }) });
 * const lock = lockTools("own", describeTools([add])); // made once, reviewed, and kept
 *
 * const guard = createGuard({ lock, server: "own", policy: DEFAULT_POLICY });
 * const model = fakeModel().respondWithTools([{ name: "add", args: { n: "1" }, id: "1" }]);
 * const agent = createAgent({ model, tools: [add], middleware: [guardMiddleware(guard)] });
 * ```
 */
export function guardMiddleware(guard: Guard, options: GuardMiddlewareOptions = {}): AgentMiddleware {
  const { owns = () => true, list } = options;
  const tools = new Map<string, LangChainTool>();
  const live = new Map<unknown, unknown>();
  const desk = new ToolDesk(guard, async (cursor) => {
    const page = list ? await list(cursor) : { tools: describeTools([...tools.values()]) };
    for (const tool of page.tools) live.set((tool as JsonObject)["name"], tool);
    return page;
  });
  return createMiddleware({
    name: "AgentprintGuard",
    async wrapModelCall(request, handler) {
      tools.clear();
      for (const tool of request.tools) if (owns(nameOf(tool))) tools.set(nameOf(tool), tool);
      const shown = new Map((await desk.shown()).map((definition) => [definition["name"], definition]));
      const permitted = request.tools.flatMap((tool) => {
        const name = nameOf(tool);
        if (!tools.has(name)) return [tool];
        const definition = shown.get(name);
        if (definition === undefined) return [];
        return [isSameJson(definition, jsonOf(live.get(name))) ? tool : asLocked(definition)];
      });
      return handler({ ...request, tools: permitted });
    },
    async wrapToolCall(request, handler) {
      const { toolCall, runtime } = request;
      const { name, args, id = "" } = toolCall;
      if (!owns(name)) return runTool(request, handler);
      const outcome = await desk.call({
        name,
        arguments: args,
        signal: (runtime as { readonly signal?: AbortSignal }).signal,
        run: () => runTool(request, handler),
        resultOf,
      });
      if ("value" in outcome) return outcome.value as ToolMessage;
      return new ToolMessage({ content: outcome.refused, tool_call_id: id, name, status: "error" });
    },
  });
}

/**
 * What a tool gives. With any middleware around tools, LangChain ends the run when a tool throws, and without one it tells the model: so
 * the error becomes the message that it would be. What is no error of a tool goes on: an interrupt, an abort, a failure of other middleware.
 */
const runTool: WrapToolCallHook = async (request, handler) => {
  try {
    return await handler(request);
  } catch (error) {
    const { toolCall, runtime } = request;
    const isAborted = (runtime as { readonly signal?: AbortSignal }).signal?.aborted === true;
    if (isAborted || isBubbleUp(error) || error instanceof MiddlewareError) throw error;
    const content =
      error instanceof ToolInvocationError ? error.message : `${textOf(error)}\n Please fix your mistakes.`;
    return new ToolMessage({ content, tool_call_id: toolCall.id ?? "", name: toolCall.name, status: "error" });
  }
};

/** As LangChain writes an error; what is thrown need not be one. */
function textOf(error: unknown): string {
  if (typeof error === "string") return error;
  return error instanceof Error ? error.toString() : "what was thrown is no error";
}

/** Whether this is no error but what LangGraph pauses or redirects a run with. */
function isBubbleUp(error: unknown): boolean {
  return (error as { readonly is_bubble_up?: unknown } | null)?.is_bubble_up === true;
}

/** The locked definition, in the one form besides its own classes that LangChain gives every model. */
function asLocked({ name, description, inputSchema }: JsonObject): Record<string, unknown> {
  return { type: "function", function: { name, description, parameters: inputSchema } };
}

/** What a tool said in a message, as a server would answer it: the structured content of MCP stands in the artifact. */
function resultOf(value: unknown): object {
  if (!ToolMessage.isInstance(value)) return { content: [] };
  const { content, artifact, status } = value;
  const blocks = Array.isArray(artifact) ? artifact : [];
  const structured = blocks.find(({ type }: { type?: unknown }) => type === "mcp_structured_content");
  return {
    content: [],
    structuredContent: structured?.data,
    isError: status === "error",
    output: content,
  };
}

/** What is used of a tool of the client. */
interface ClientTool {
  readonly name: string;
  readonly description?: string;
  readonly schema?: unknown;
  readonly metadata?: { readonly annotations?: unknown };
}

/** What may name the record of a tool that a provider runs. */
interface ProviderTool {
  readonly name?: string;
  readonly type?: string;
  readonly function?: { readonly name: string };
}

function nameOf(tool: LangChainTool): string {
  const { name, function: described, type } = tool as ProviderTool;
  return name ?? described?.name ?? String(type);
}

/**
 * The definitions of tools of LangChain as a lock has them: name, description, schema and hints; of a tool that a provider runs, its record.
 *
 * @throws {@link GuardError} `not-json` when a definition cannot be written as JSON.
 * @example
 * ```ts
 * import { describeTools } from "@agentprint/guard/langchain";
 * import { tool } from "langchain";
 * import { z } from "zod";
 *
 * const add = tool(({ n }) => n + 1, { name: "add", description: "Adds one", schema: z.object({ n: z.number() }) });
 * console.log(describeTools([add])[0]?.["description"]); // Adds one
 * ```
 */
export function describeTools(tools: readonly LangChainTool[]): JsonObject[] {
  return tools.map((tool) => {
    if (!("invoke" in tool)) return definitionOf({ ...tool, name: nameOf(tool) });
    const { name, description, schema, metadata } = tool as unknown as ClientTool;
    const inputSchema = schema === undefined ? undefined : toJsonSchema(schema as never);
    return definitionOf({ name, description, inputSchema, annotations: metadata?.annotations });
  });
}
