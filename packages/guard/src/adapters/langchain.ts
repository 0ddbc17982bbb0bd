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
import { checkArgument } from "../check-argument.ts";
import type { Guard } from "../guard.ts";
import { definitionOf, jsonOf } from "./json-text.ts";
import { type ListTools, ToolDesk, type ToolPage } from "./tool-desk.ts";

export { lockTools } from "@agentprint/mcp-lock";
export type { ListTools, ToolPage };

/** A LangChain tool: a client's tool, or the record of a tool that a provider runs. */
export type LangChainTool = object;

/** Options for {@link guardMiddleware}. */
export interface GuardMiddlewareOptions {
  /**
   * Returns whether the guard judges the tool with this name. Default: all. Calls to other tools go to the next
   * middleware.
   */
  readonly owns?: (name: string) => boolean;
  /**
   * Returns the current definitions. For an MCP server's tools, the server's own list: `(cursor) => client.listTools({
   * cursor })`. By default, {@link describeTools} of the agent's tools.
   */
  readonly list?: ListTools;
}

/**
 * Returns a LangChain middleware that guards an agent's tools. At each model call, it removes tools that are neither in
 * the lock nor allowed by the policy, and shows the model the locked definition of a tool that the policy freezes. It
 * judges each tool call before the tool runs; a refused call becomes a message with `status: "error"`. It judges the
 * messages that a tool returns, but not commands.
 *
 * If a tool throws, the model receives the same message as from LangChain in an agent without middleware. Put
 * middleware that handles such errors, such as a retry, after this one in the list.
 *
 * A model call rejects with {@link GuardError} `not-listed` when the definitions cannot be listed or read.
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
  checkArgument("guard", guard, { connect: "function" });
  checkArgument("options", options, "object");
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
 * Runs a tool. With any middleware around tools, LangChain ends the run when a tool throws; without one, it reports the
 * error to the model. Therefore, this function returns the message of such a report. It rethrows an error that is not
 * the tool's: an interrupt, an abort, or a failure of other middleware.
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

/** Returns the text that LangChain writes for an error, or a text for a thrown value that is not an error. */
function textOf(error: unknown): string {
  if (typeof error === "string") return error;
  return error instanceof Error ? error.toString() : "the thrown value is not an error";
}

/** Returns whether LangGraph pauses or redirects a run with this value. */
function isBubbleUp(error: unknown): boolean {
  return (error as { readonly is_bubble_up?: unknown } | null)?.is_bubble_up === true;
}

/**
 * Returns the locked definition in the only form, other than LangChain's own classes, that LangChain passes to every
 * model.
 */
function asLocked({ name, description, inputSchema }: JsonObject): Record<string, unknown> {
  return { type: "function", function: { name, description, parameters: inputSchema } };
}

/** Returns a tool's message as a server's result, with MCP's structured content from the message's artifact. */
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

/** The members of a client tool that are used here. */
interface ClientTool {
  readonly name: string;
  readonly description?: string;
  readonly schema?: unknown;
  readonly metadata?: { readonly annotations?: unknown };
}

/** The members that can contain the name in the record of a tool that a provider runs. */
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
 * Returns the definitions of LangChain tools as a lock stores them: name, description, schema and hints; for a tool
 * that a provider runs, its record.
 *
 * @throws {@link GuardError} `not-json` when JSON cannot represent a definition.
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
  checkArgument("tools", tools, ["object"]);
  return tools.map((tool) => {
    if (!("invoke" in tool)) return definitionOf({ ...tool, name: nameOf(tool) });
    const { name, description, schema, metadata } = tool as unknown as ClientTool;
    const inputSchema = schema === undefined ? undefined : toJsonSchema(schema as never);
    return definitionOf({ name, description, inputSchema, annotations: metadata?.annotations });
  });
}
