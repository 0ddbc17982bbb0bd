import { specFromMastraAgent } from "@agentprint/drover/mastra";
import { MockMemory } from "@mastra/core/memory";
import { RequestContext } from "@mastra/core/request-context";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { LocalFilesystem, Workspace } from "@mastra/core/workspace";
import { z } from "zod";
import { type Change, changesOf } from "../one-change/change.ts";
import { deleteFile, keeper, model } from "./support/mastra-agents.ts";

const row = changesOf(({ "~added": added = {}, ...options }: { readonly [option: string]: unknown }) =>
  specFromMastraAgent(Object.assign(keeper(options), added)),
);
const ofUser = changesOf((user: string) => {
  const instructions = ({ requestContext }: { requestContext: RequestContext }) => `For ${requestContext.get("user")}.`;
  return specFromMastraAgent(keeper({ instructions }), { requestContext: new RequestContext([["user", user]]) });
});

const same = () => ({});
const withTool = (options: object) => () => ({ tools: { delete_file: deleteFile(options) } });
const critic = (options: object = {}): { readonly [option: string]: unknown } => ({
  agents: { critic: keeper({ id: "critic", name: "Critic", ...options }) },
});
const asks = (text: string) => () => text;
function workflow(stepId: string, execute = async () => ({})): { readonly [option: string]: unknown } {
  const schemas = { inputSchema: z.object({}), outputSchema: z.object({}) };
  const step = createStep({ id: stepId, ...schemas, execute });
  return {
    workflows: {
      tidy: createWorkflow({ id: "tidy", ...schemas })
        .then(step)
        .commit(),
    },
  };
}

const processor = (id: string, limit = 1) => ({
  inputProcessors: [{ id, limit, processInput: async ({ messages }: { messages: unknown }) => messages }],
});

const folder = (basePath: string, readOnly = false) => ({
  workspace: new Workspace({ filesystem: new LocalFilesystem({ basePath, readOnly }) }),
});
const skills = (description: string) => ({ skills: [{ name: "review", description, instructions: "Review." }] });
const hooks = (proceed: boolean) => ({ hooks: { beforeToolCall: () => ({ proceed }) } });

const memory = (options: object) => ({ memory: new MockMemory({ options }) });

export const mastraChanges: readonly Change[] = [
  row("id", { seen: "id" }, same, () => ({ id: "critic" })),
  row("name", { seen: "model" }, same, () => ({ name: "Critic" })),
  row("description", { seen: "model" }, same, () => ({ description: "Deletes files." })),
  row("instructions, a text", { seen: "systemPrompt" }, same, () => ({ instructions: "Delete what you like." })),
  row(
    "instructions, system messages",
    { seen: "systemPrompt" },
    () => ({ instructions: [{ role: "system", content: "Keep." }] }),
    () => ({ instructions: [{ role: "system", content: "Delete." }] }),
  ),
  row(
    "what a function of instructions returns",
    { seen: "systemPrompt" },
    () => ({ instructions: asks("Keep.") }),
    () => ({ instructions: asks("Delete.") }),
  ),
  ofUser(
    "the request context that instructions depend on",
    { seen: "systemPrompt" },
    () => "mira",
    () => "noor",
  ),
  row(
    "model, a name",
    { seen: "model" },
    () => ({ model: "acme/large" }),
    () => ({ model: "acme/small" }),
  ),
  row("model id of a model object", { seen: "model" }, same, () => ({ model: model("small") })),
  row("what a model object does", { warned: "/model" }, same, () => ({ model: model() })),
  row(
    "a model to fall back to",
    { seen: "model" },
    () => ({ model: [{ model: model() }] }),
    () => ({ model: [{ model: model() }, { model: model("small") }] }),
  ),
  row(
    "maxRetries of a model to fall back to",
    { seen: "model" },
    () => ({ model: [{ model: model(), maxRetries: 1 }] }),
    () => ({ model: [{ model: model(), maxRetries: 2 }] }),
  ),
  row("maxRetries", { seen: "model" }, same, () => ({ maxRetries: 3 })),
  row("modelSettings of the default options", { seen: "model" }, same, () => ({
    defaultOptions: { modelSettings: { temperature: 1 } },
  })),
  row("maxSteps of the default options", { seen: "model" }, same, () => ({ defaultOptions: { maxSteps: 99 } })),
  row(
    "a function of the default options",
    { warned: "/defaultOptions/onFinish" },
    () => ({ defaultOptions: { onFinish: () => 1 } }),
    () => ({ defaultOptions: { onFinish: () => 2 } }),
  ),
  row("schema of a structured output", { seen: "model" }, same, () => ({
    defaultOptions: { structuredOutput: { schema: z.object({ title: z.string() }) } },
  })),
  row("defaultNetworkOptions", { seen: "model" }, same, () => ({ defaultNetworkOptions: { maxSteps: 99 } })),
  row("hooks", { seen: "model" }, same, () => hooks(true)),
  row(
    "what a hook does",
    { warned: "/hooks/beforeToolCall" },
    () => hooks(false),
    () => hooks(true),
  ),
  row("workspace", { seen: "model" }, same, () => folder("/")),
  row(
    "folder of the workspace",
    { seen: "model" },
    () => folder("/tmp"),
    () => folder("/"),
  ),
  row(
    "readOnly of the workspace",
    { seen: "model" },
    () => folder("/tmp", true),
    () => folder("/tmp"),
  ),
  row(
    "files of the workspace",
    { warned: "/workspace" },
    () => folder("/tmp"),
    () => folder("/tmp"),
  ),
  row("metadata", { seen: "model" }, same, () => ({ metadata: { team: "a" } })),
  row("durable", { seen: "model" }, same, () => ({ durable: true })),
  row("backgroundTasks", { seen: "model" }, same, () => ({ backgroundTasks: { disabled: true } })),
  row("requestContextSchema", { seen: "model" }, same, () => ({
    requestContextSchema: z.object({ user: z.string() }),
  })),
  row("a scorer", { seen: "model" }, same, () => ({ scorers: { polite: { scorer: {} } } })),
  row("transform", { seen: "model" }, same, () => ({ transform: { transformToolPayload: () => 1 } })),
  row("an own member that is added to an agent", { seen: "model" }, same, () => ({ "~added": { limit: 1 } })),
  row(
    "skills",
    { warned: "/skills" },
    () => skills("Reviews."),
    () => skills("Approves."),
  ),
  row("maxProcessorRetries", { warned: "/maxProcessorRetries" }, same, () => ({ maxProcessorRetries: 9 })),
  row("notifications", { warned: "/notifications" }, same, () => ({ notifications: { policy: "immediate" } })),
  row("voice", { warned: "/voice" }, same, () => ({ voice: { addTools: () => 1, addInstructions: () => 1 } })),
  row("name of a tool", { seen: "tools" }, same, () => ({ tools: { remove: deleteFile() } })),
  row("description of a tool", { seen: "tools" }, same, withTool({ description: "Deletes files." })),
  row(
    "inputSchema of a tool",
    { seen: "tools" },
    same,
    withTool({ inputSchema: z.object({ path: z.string().max(9) }) }),
  ),
  row(
    "refinement of the inputSchema of a tool",
    { warned: "/tools/delete_file/inputSchema" },
    same,
    withTool({ inputSchema: z.object({ path: z.string().refine(() => false) }) }),
  ),
  row("outputSchema of a tool", { seen: "tools" }, same, withTool({ outputSchema: z.string() })),
  row("resumeSchema of a tool", { seen: "tools" }, same, withTool({ resumeSchema: z.object({ sure: z.boolean() }) })),
  row("requireApproval of a tool", { seen: "tools" }, same, withTool({ requireApproval: false })),
  row(
    "requireApproval of a tool, a function",
    { warned: "/tools/delete_file/requireApproval" },
    withTool({ requireApproval: () => true }),
    withTool({ requireApproval: () => false }),
  ),
  row("execute of a tool", { warned: "/tools/delete_file/execute" }, same, withTool({ execute: async () => "other" })),
  row(
    "order of tools",
    { seen: "model" },
    () => ({ tools: { a: deleteFile({ id: "a" }), b: deleteFile({ id: "b" }) } }),
    () => ({ tools: { b: deleteFile({ id: "b" }), a: deleteFile({ id: "a" }) } }),
  ),
  row("one more agent to call", { seen: "subagents" }, same, critic),
  row("instructions of an agent to call", { seen: "subagents" }, critic, () => critic({ instructions: "Praise." })),
  row("workspace of an agent to call", { seen: "subagents" }, critic, () => critic(folder("/"))),
  row("inputSchema of a tool of an agent to call", { seen: "subagents" }, critic, () =>
    critic({ tools: { delete_file: deleteFile({ inputSchema: z.object({}) }) } }),
  ),
  row("execute of a tool of an agent to call", { warned: "/agents/critic/tools/delete_file/execute" }, critic, () =>
    critic({ tools: { delete_file: deleteFile({ execute: async () => "other" }) } }),
  ),
  row("one more workflow to call", { seen: "subagents" }, same, () => workflow("a")),
  row(
    "a step of a workflow",
    { seen: "subagents" },
    () => workflow("a"),
    () => workflow("b"),
  ),
  row(
    "code of a step of a workflow",
    { warned: "/workflows/tidy" },
    () => workflow("a"),
    () => workflow("a", async () => ({ other: true })),
  ),
  row("one more processor", { seen: "pluginIds" }, same, () => processor("limit")),
  row(
    "options of a processor",
    { warned: "/inputProcessors" },
    () => processor("limit", 1),
    () => processor("limit", 2),
  ),
  row("memory", { seen: "memory" }, same, () => memory({ lastMessages: 5 })),
  row(
    "options of the memory",
    { seen: "memory" },
    () => memory({ lastMessages: 5 }),
    () => memory({ lastMessages: 9 }),
  ),
  row(
    "content of the memory",
    { warned: "/memory" },
    () => memory({}),
    () => memory({}),
  ),
];
