import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import { isSameJson, type JsonObject } from "@agentprint/canonical-json/json-value";
import {
  type Agent,
  defineToolInputGuardrail,
  defineToolOutputGuardrail,
  type MCPServer,
  type Tool,
  ToolGuardrailFunctionOutputFactory,
  type ToolInputGuardrailDefinition,
  type ToolOutputGuardrailDefinition,
} from "@openai/agents";
import { checkArgument } from "../check-argument.ts";
import type { Guard } from "../guard.ts";
import { definitionOf, jsonOf } from "./json-text.ts";
import { overlay } from "./overlay.ts";
import { type CallOutcome, ToolDesk } from "./tool-desk.ts";

export { lockTools } from "@agentprint/mcp-lock";

const NAME = "agentprint";
const { allow, rejectContent } = ToolGuardrailFunctionOutputFactory;

/**
 * Guards an MCP server in the OpenAI Agents SDK. Shows the model only tools that are in the lock or that the policy
 * allows. Judges each call before the server receives it, and each result before the model receives it. A refused call
 * returns a text that states the refusal.
 *
 * @returns A server for `mcpServers` that wraps the given one. `listTools` rejects with {@link GuardError}
 * `not-listed` when the tools cannot be read.
 * @example
 * ```ts
 * import { createGuard } from "@agentprint/guard";
 * import { guardMcpServer } from "@agentprint/guard/openai-agents";
 * import { DEFAULT_POLICY } from "@agentprint/policy";
 *
 * const server = guardMcpServer(mcpServer, createGuard({ lock, server: "files", policy: DEFAULT_POLICY }));
 * console.log((await server.listTools()).map(({ name }) => name)); // [ 'read_file', 'count_lines' ]
 * const [refused] = await server.callTool("delete_file", { path: "a.txt" });
 * console.log(refused); // { type: 'text', text: 'Refused by the guard: the tool differs from the lock.' }
 * ```
 */
export function guardMcpServer<S extends MCPServer>(server: S, guard: Guard): S {
  checkArgument("server", server, "object");
  checkArgument("guard", guard, { connect: "function" });
  const live = new Map<unknown, unknown>();
  const desk = new ToolDesk(guard, async () => {
    await server.invalidateToolsCache();
    const tools = await server.listTools();
    for (const tool of tools) live.set(tool.name, tool);
    return { tools };
  });
  type Call = Parameters<MCPServer["callTool"]>;
  const call = ([name, args, , options]: Call, run: () => unknown): Promise<CallOutcome> =>
    desk.call({ name, arguments: args ?? undefined, signal: options?.signal, run });
  return overlay<S>(server, {
    async listTools() {
      const shown = await desk.shown();
      return shown.map((definition) => {
        const tool = live.get(definition["name"]);
        return isSameJson(definition, jsonOf(tool)) ? tool : definition;
      });
    },
    async callTool(...args: Call) {
      // The text alone does not include the structured content, which the output schema describes.
      const run = async () => {
        if (!server.callToolResult) return { content: await server.callTool(...args) };
        return server.callToolResult(...args);
      };
      const outcome = await call(args, run);
      if ("refused" in outcome) return refusal(outcome).content;
      return (outcome.value as { content: unknown }).content;
    },
    ...(server.callToolResult && {
      async callToolResult(...args: Call) {
        const outcome = await call(args, () => server.callToolResult?.(...args));
        return "refused" in outcome ? refusal(outcome) : outcome.value;
      },
    }),
  });
}

function refusal({ refused }: { readonly refused: string }) {
  return { content: [{ type: "text", text: refused }], isError: true };
}

/** The result of {@link toolGuardrails}, for a function tool's `inputGuardrails` and `outputGuardrails`. */
export interface ToolGuardrails {
  readonly inputGuardrails: ToolInputGuardrailDefinition[];
  readonly outputGuardrails: ToolOutputGuardrailDefinition[];
}

/** A call that has passed its input guardrail but not yet its output guardrail. */
interface OpenCall {
  /** Passes the tool's output to the guard. */
  readonly give: (output: unknown) => void;
  readonly outcome: Promise<CallOutcome>;
  readonly abort: AbortController;
}

/**
 * The maximum number of calls without an output. Above this, the oldest entry is dropped, because a tool that threw
 * never produces the output that would remove it.
 */
const MAX_OPEN_CALLS = 1000;

/**
 * Returns guardrails for function tools in the OpenAI Agents SDK. They judge each call against the lock, with the
 * current definitions of the agent's tools, and then the tool's output.
 *
 * @example
 * ```ts
 * import { createGuard } from "@agentprint/guard";
 * import { describeTools, lockTools, toolGuardrails } from "@agentprint/guard/openai-agents";
 * import { DEFAULT_POLICY } from "@agentprint/policy";
 * import { tool } from "@openai/agents";
 * import { z } from "zod";
 *
 * const parameters = z.object({ n: z.number() });
 * const add = { name: "add", description: "Adds one", parameters, execute: ({ n }: { n: number }) => n + 1 };
 * const lock = lockTools("own", describeTools([tool(add)])); // made once, reviewed, and kept
 *
 * const guardrails = toolGuardrails(createGuard({ lock, server: "own", policy: DEFAULT_POLICY }));
 * const guarded = tool({ ...add, ...guardrails }); // for new Agent({ tools: [guarded] })
 * console.log(guarded.inputGuardrails?.length); // 1
 * ```
 */
export function toolGuardrails(guard: Guard): ToolGuardrails {
  const desks = new WeakMap<object, ToolDesk>();
  const open = new Map<string, OpenCall>();
  const deskOf = (agent: Agent): ToolDesk => {
    const known = desks.get(agent);
    if (known) return known;
    const desk = new ToolDesk(guard, () => ({ tools: describeTools(agent.tools) }));
    desks.set(agent, desk);
    return desk;
  };
  const input = defineToolInputGuardrail({
    name: NAME,
    async run({ agent, toolCall: { name, callId, arguments: text } }) {
      const given = argumentsOf(text);
      if (given === undefined) return rejectContent("Refused by the guard: the arguments are not JSON.");
      giveUp(open, callId);
      const abort = new AbortController();
      const refused = await new Promise<string | undefined>((resolve, reject) => {
        const begin = (give: (output: unknown) => void) => {
          open.set(callId, { give, outcome, abort });
          resolve(undefined);
        };
        // This is deferred, because `begin` reads `outcome`.
        const run = () => new Promise<unknown>((give) => queueMicrotask(() => begin(give)));
        const outcome = deskOf(agent).call({ name, arguments: given, signal: abort.signal, run });
        outcome.then((judged) => resolve("refused" in judged ? judged.refused : undefined), reject);
      });
      const [oldest] = open.keys();
      if (open.size > MAX_OPEN_CALLS && oldest !== undefined) giveUp(open, oldest);
      return refused === undefined ? allow() : rejectContent(refused);
    },
  });
  const output = defineToolOutputGuardrail({
    name: NAME,
    async run({ output, toolCall: { callId } }) {
      const call = open.get(callId);
      if (call === undefined) return rejectContent("Refused by the guard: the call was not judged.");
      open.delete(callId);
      call.give(output);
      const outcome = await call.outcome;
      return "refused" in outcome ? rejectContent(outcome.refused) : allow();
    },
  });
  return { inputGuardrails: [input], outputGuardrails: [output] };
}

function giveUp(open: Map<string, OpenCall>, callId: string): void {
  const call = open.get(callId);
  if (call === undefined) return;
  open.delete(callId);
  call.outcome.catch(() => {});
  call.abort.abort();
}

function argumentsOf(text: string): unknown {
  try {
    return parseJson(text, { tolerate: () => true });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return undefined;
  }
}

/**
 * Returns the definitions of OpenAI Agents SDK tools as a lock stores them: for a function, its name, description,
 * schemas and strictness; for any other tool, its JSON form.
 *
 * @throws {@link GuardError} `not-json` when JSON cannot represent a definition.
 * @example
 * ```ts
 * import { describeTools } from "@agentprint/guard/openai-agents";
 * import { tool } from "@openai/agents";
 * import { z } from "zod";
 *
 * const now = tool({ name: "now", description: "The time", parameters: z.object({}), execute: () => "12:00" });
 * console.log(describeTools([now])[0]?.["description"]); // The time
 * ```
 */
export function describeTools(tools: readonly Tool[]): JsonObject[] {
  checkArgument("tools", tools, ["object"]);
  return tools.map((tool) => {
    if (tool.type !== "function") return definitionOf(tool);
    const { name, description, parameters, outputSchema, strict } = tool;
    return definitionOf({ name, description, inputSchema: parameters, outputSchema, strict });
  });
}
