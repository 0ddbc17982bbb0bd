import { Agent, handoff, MCPServerStdio, OpenAIChatCompletionsModel, OpenAIResponsesModel } from "@openai/agents";
import { z } from "zod";
import type { Change } from "./change.ts";
import { critic, read, row, type Special, same, says } from "./openai-agent.ts";
import { openAiToolChanges } from "./openai-tools.ts";

const withHandoff = (options: Parameters<typeof handoff>[1]) => (): Special => ({
  handoffs: [handoff(critic(), options)],
});
const client = (baseURL: string) => ({ baseURL }) as never;
const polite = { name: "polite", execute: async () => ({ tripwireTriggered: false, outputInfo: null }) };
const strict = { name: "polite", execute: async () => ({ tripwireTriggered: true, outputInfo: null }) };
const files = (command: string, name = "files") => new MCPServerStdio({ name, command });
const promptBy = (version: string) => () => ({ promptId: "p", version });
/** Two agents that hand off to each other. */
const ring = (instructions: string): Special => {
  const other = critic({ instructions });
  const writer = new Agent({ name: "second", instructions: "Write.", handoffs: [other] });
  other.handoffs = [writer];
  return { handoffs: [writer] };
};

export const openAiChanges: readonly Change[] = [
  row("name", { seen: "id" }, same, () => ({ name: "critic" })),
  row("instructions, a text", { seen: "systemPrompt" }, same, () => ({ instructions: "Rewrite." })),
  row(
    "instructions, the source of a function",
    { seen: "systemPrompt" },
    () => ({ instructions: () => "a" }),
    () => ({ instructions: () => "b" }),
  ),
  row(
    "what a function of instructions closes over",
    { warned: "/systemPrompt" },
    () => ({ instructions: says("a") }),
    () => ({ instructions: says("b") }),
  ),
  row(
    "prompt",
    { seen: "promptTemplate" },
    () => ({ prompt: { promptId: "p", version: "1" } }),
    () => ({ prompt: { promptId: "p", version: "2" } }),
  ),
  row(
    "what a function of a prompt closes over",
    { warned: "/prompt" },
    () => ({ prompt: promptBy("1") }),
    () => ({ prompt: promptBy("2") }),
  ),
  row("handoffDescription", { seen: "model" }, same, () => ({ handoffDescription: "Writes." })),
  row(
    "model, a name",
    { seen: "model" },
    () => ({ model: "gpt-4o-mini" }),
    () => ({ model: "gpt-5" }),
  ),
  row(
    "model id inside a model object",
    { seen: "model" },
    () => ({ model: new OpenAIResponsesModel(client("a"), "gpt-4o-mini") }),
    () => ({ model: new OpenAIResponsesModel(client("a"), "gpt-5") }),
  ),
  row(
    "model id in a private field of a model object",
    { warned: "/model" },
    () => ({ model: new OpenAIChatCompletionsModel(client("a"), "gpt-4o-mini") }),
    () => ({ model: new OpenAIChatCompletionsModel(client("a"), "gpt-5") }),
  ),
  row(
    "base URL of a model object",
    { warned: "/model" },
    () => ({ model: new OpenAIResponsesModel(client("a"), "m") }),
    () => ({ model: new OpenAIResponsesModel(client("b"), "m") }),
  ),
  row(
    "class of a model object",
    { seen: "model" },
    () => ({ model: new OpenAIResponsesModel(client("a"), "m") }),
    () => ({ model: new OpenAIChatCompletionsModel(client("a"), "m") }),
  ),
  row(
    "modelSettings",
    { seen: "model" },
    () => ({ modelSettings: { temperature: 0.1 } }),
    () => ({ modelSettings: { temperature: 0.9 } }),
  ),
  row(
    "a function in modelSettings",
    { warned: "/modelSettings/providerData/sign" },
    () => ({ modelSettings: { providerData: { sign: says("a") } } }),
    () => ({ modelSettings: { providerData: { sign: says("b") } } }),
  ),
  row(
    "resetToolChoice",
    { seen: "model" },
    () => ({ resetToolChoice: true }),
    () => ({ resetToolChoice: false }),
  ),
  row(
    "toolUseBehavior, a value",
    { seen: "model" },
    () => ({ toolUseBehavior: "run_llm_again" }),
    () => ({ toolUseBehavior: "stop_on_first_tool" }),
  ),
  row(
    "toolUseBehavior, a list of names",
    { seen: "model" },
    () => ({ toolUseBehavior: { stopAtToolNames: ["a"] } }),
    () => ({ toolUseBehavior: { stopAtToolNames: ["b"] } }),
  ),
  row(
    "toolUseBehavior, a function",
    { warned: "/toolUseBehavior" },
    () => ({ toolUseBehavior: async () => ({ isFinalOutput: false, isInterrupted: undefined }) }),
    () => ({ toolUseBehavior: async () => ({ isFinalOutput: true, isInterrupted: undefined, finalOutput: "a" }) }),
  ),
  ...openAiToolChanges,
  row(
    "mcpServers, their names",
    { seen: "mcpServers" },
    () => ({ mcpServers: [files("a")] }),
    () => ({ mcpServers: [files("a", "notes")] }),
  ),
  row(
    "command of an MCP server",
    { warned: "/mcpServers/0/command" },
    () => ({ mcpServers: [files("a")] }),
    () => ({ mcpServers: [files("b")] }),
  ),
  row("mcpConfig", { seen: "model" }, same, () => ({ mcpConfig: { convertSchemasToStrict: true } })),
  row("one more handoff", { seen: "subagents" }, same, () => ({ handoffs: [critic()] })),
  row(
    "instructions of a handoff agent",
    { seen: "subagents" },
    () => ({ handoffs: [critic()] }),
    () => ({ handoffs: [critic({ instructions: "Praise." })] }),
  ),
  row(
    "what the instructions of a handoff agent close over",
    { warned: "/handoffs/0/instructions" },
    () => ({ handoffs: [critic({ instructions: says("a") })] }),
    () => ({ handoffs: [critic({ instructions: says("b") })] }),
  ),
  row(
    "model of an agent behind handoff()",
    { seen: "subagents" },
    () => ({ handoffs: [handoff(critic())] }),
    () => ({ handoffs: [handoff(critic({ model: "gpt-5" }))] }),
  ),
  row(
    "a tool of a handoff agent",
    { warned: "/handoffs/0/tools/0/needsApproval" },
    () => ({ handoffs: [critic({ tools: [read({ needsApproval: true })] })] }),
    () => ({ handoffs: [critic({ tools: [read({ needsApproval: false })] })] }),
  ),
  row(
    "instructions of an agent two handoffs away",
    { seen: "subagents" },
    () => ({ handoffs: [critic({ handoffs: [critic()] })] }),
    () => ({ handoffs: [critic({ handoffs: [critic({ instructions: "Praise." })] })] }),
  ),
  row(
    "instructions of an agent in a ring of handoffs",
    { seen: "subagents" },
    () => ring("Find."),
    () => ring("Praise."),
  ),
  row(
    "toolNameOverride of a handoff",
    { seen: "subagents" },
    withHandoff({}),
    withHandoff({ toolNameOverride: "ask" }),
  ),
  row("inputFilter of a handoff", { seen: "subagents" }, withHandoff({}), withHandoff({ inputFilter: (data) => data })),
  row(
    "what the inputFilter of a handoff does",
    { warned: "/handoffs/0/inputFilter" },
    withHandoff({ inputFilter: (data) => data }),
    withHandoff({ inputFilter: (data) => ({ ...data, preHandoffItems: [] }) }),
  ),
  row(
    "isEnabled of a handoff",
    { warned: "/handoffs/0/isEnabled" },
    withHandoff({ isEnabled: true }),
    withHandoff({ isEnabled: false }),
  ),
  row(
    "onHandoff of a handoff",
    { warned: "/handoffs/0/onInvokeHandoff" },
    withHandoff({}),
    withHandoff({ onHandoff: () => undefined }),
  ),
  row("one more guardrail", { seen: "pluginIds" }, same, () => ({ inputGuardrails: [polite] })),
  row(
    "a guardrail moved from input to output",
    { seen: "model" },
    () => ({ inputGuardrails: [polite] }),
    () => ({ outputGuardrails: [polite] as never }),
  ),
  row(
    "runInParallel of a guardrail",
    { seen: "model" },
    () => ({ inputGuardrails: [{ ...polite, runInParallel: true }] }),
    () => ({ inputGuardrails: [{ ...polite, runInParallel: false }] }),
  ),
  row(
    "what a guardrail does",
    { warned: "/inputGuardrails/0/execute" },
    () => ({ inputGuardrails: [polite] }),
    () => ({ inputGuardrails: [strict] }),
  ),
  row(
    "outputType",
    { seen: "outputSchema" },
    () => ({ outputType: z.object({ a: z.string() }) as never }),
    () => ({ outputType: z.object({ a: z.string().min(1) }) as never }),
  ),
  row(
    "refinement of an outputType",
    { warned: "/outputType" },
    () => ({ outputType: z.object({ a: z.string() }) as never }),
    () => ({ outputType: z.object({ a: z.string().refine((a) => a !== "") }) as never }),
  ),
  row(
    "methods of a user's class",
    { warned: "" },
    () => ({ Class: class extends Agent {} as typeof Agent }),
    () => ({
      Class: class extends Agent {
        override async getSystemPrompt(): Promise<string> {
          return "Praise.";
        }
      } as typeof Agent,
    }),
  ),
  row("listeners of the agent's events", { warned: "/eventEmitter" }, same, () => ({ listens: true })),
];
