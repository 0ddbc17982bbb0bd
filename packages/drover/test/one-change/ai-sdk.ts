import { type AiSdkAgentSettings, specFromAiSdk } from "@agentprint/drover/ai-sdk";
import {
  createGateway,
  hasToolCall,
  isStepCount,
  jsonSchema,
  Output,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  tool,
  wrapLanguageModel,
} from "ai";
import { z } from "zod";
import { type Change, changesOf } from "./change.ts";

type Special = Partial<ToolLoopAgentSettings<never, never>> & { readonly [setting: string]: unknown };
type ToolOptions = { readonly [member: string]: unknown };

const row = changesOf((special: Special) => {
  const settings = { id: "writer", model: "acme/large", instructions: "Write.", ...special };
  const { tools } = new ToolLoopAgent(settings as unknown as ToolLoopAgentSettings);
  return specFromAiSdk({ ...settings, tools } as AiSdkAgentSettings);
});

const same = () => ({});
const read = (options: ToolOptions = {}) =>
  tool({
    description: "Reads a file.",
    inputSchema: z.object({ path: z.string() }),
    execute: async () => "a",
    ...options,
  } as never);
const withTool = (options: ToolOptions) => (): Special => ({ tools: { read: read(options) } as never });
const gatewayModel = (baseURL: string, id = "acme/large") => createGateway({ baseURL, apiKey: "k" })(id);
const wrapped = (temperature: number) =>
  wrapLanguageModel({
    model: gatewayModel("https://a.example"),
    middleware: { specificationVersion: "v4", transformParams: async ({ params }) => ({ ...params, temperature }) },
  });
const asks = (instructions: string): Special => {
  const critic = new ToolLoopAgent({ model: "acme/large", instructions });
  const execute = async ({ prompt }: { prompt: string }) => (await critic.generate({ prompt })).text;
  return { tools: { ask: tool({ inputSchema: z.object({ prompt: z.string() }), execute }) } as never };
};
const says = (text: string) => () => text;
const searchTool = (maxUses: number) => ({
  tools: {
    search: {
      type: "provider",
      isProviderExecuted: true,
      id: "acme.search",
      args: { maxUses },
      inputSchema: jsonSchema({}),
    },
  },
});
class ClassTool {
  readonly inputSchema = jsonSchema({});
  readonly #answer: string;
  constructor(answer: string) {
    this.#answer = answer;
  }
  execute(): string {
    return this.#answer;
  }
}
const system = (cache: boolean) => [{ role: "system", content: "Write.", providerOptions: { acme: { cache } } }];

export const aiSdkChanges: readonly Change[] = [
  row("id", { seen: "id" }, same, () => ({ id: "critic" })),
  row("model, a name", { seen: "model" }, same, () => ({ model: "acme/small" })),
  row(
    "model id of a model object",
    { seen: "model" },
    () => ({ model: gatewayModel("https://a.example") }),
    () => ({ model: gatewayModel("https://a.example", "acme/small") }),
  ),
  row(
    "base URL of a model object",
    { warned: "/model" },
    () => ({ model: gatewayModel("https://a.example") }),
    () => ({ model: gatewayModel("https://b.example") }),
  ),
  row(
    "settings of a model object",
    { warned: "/model" },
    () => ({ model: Object.assign(gatewayModel("https://a.example"), { settings: { cache: true } }) }),
    () => ({ model: Object.assign(gatewayModel("https://a.example"), { settings: { cache: false } }) }),
  ),
  row(
    "middleware of wrapLanguageModel",
    { warned: "/model" },
    () => ({ model: wrapped(0) }),
    () => ({ model: wrapped(1) }),
  ),
  row(
    "wrapLanguageModel around a model object",
    { warned: "/model" },
    () => ({ model: gatewayModel("https://a.example") }),
    () => ({ model: wrapped(1) }),
  ),
  row("instructions", { seen: "systemPrompt" }, same, () => ({ instructions: "Rewrite." })),
  row(
    "provider options of instructions",
    { seen: "promptTemplate" },
    () => ({ instructions: system(true) as never }),
    () => ({ instructions: system(false) as never }),
  ),
  row(
    "temperature and other call settings",
    { seen: "model" },
    () => ({ temperature: 0 }),
    () => ({ temperature: 1 }),
  ),
  row("toolChoice", { seen: "model" }, same, () => ({ toolChoice: "required" })),
  row(
    "activeTools",
    { seen: "model" },
    () => ({ activeTools: ["a"] as never }),
    () => ({ activeTools: ["b"] as never }),
  ),
  row(
    "providerOptions",
    { seen: "model" },
    () => ({ providerOptions: { acme: { effort: "low" } } }),
    () => ({ providerOptions: { acme: { effort: "high" } } }),
  ),
  row("a setting with a function", { seen: "pluginIds" }, same, () => ({ prepareStep: () => ({}) })),
  row(
    "what stopWhen counts",
    { warned: "/stopWhen" },
    () => ({ stopWhen: isStepCount(5) }),
    () => ({ stopWhen: isStepCount(9) }),
  ),
  row(
    "what a list of stopWhen counts",
    { warned: "/stopWhen/0" },
    () => ({ stopWhen: [isStepCount(5), hasToolCall("a")] as never }),
    () => ({ stopWhen: [isStepCount(9), hasToolCall("a")] as never }),
  ),
  row(
    "what prepareStep does",
    { warned: "/prepareStep" },
    () => ({ prepareStep: () => ({}) }),
    () => ({ prepareStep: () => ({ toolChoice: "none" }) }),
  ),
  row(
    "toolApproval, a value",
    { seen: "model" },
    () => ({ toolApproval: { read: "user-approval" } as never }),
    () => ({ toolApproval: { read: "approved" } as never }),
  ),
  row(
    "toolApproval, a function",
    { warned: "/toolApproval/read" },
    () => ({ toolApproval: { read: says("user-approval") } as never }),
    () => ({ toolApproval: { read: says("approved") } as never }),
  ),
  row(
    "runtimeContext",
    { seen: "model" },
    () => ({ runtimeContext: { tenant: "a" } as never }),
    () => ({ runtimeContext: { tenant: "b" } as never }),
  ),
  row(
    "an instance of a class in a setting",
    { warned: "/runtimeContext/cache" },
    () => ({ runtimeContext: { cache: new Map([[1, 2]]) } as never }),
    () => ({ runtimeContext: { cache: new Map([[1, 3]]) } as never }),
  ),
  row(
    "a symbol in a setting",
    { seen: "model" },
    () => ({ runtimeContext: { kind: Symbol("a") } as never }),
    () => ({ runtimeContext: { kind: Symbol("b") } as never }),
  ),
  row(
    "a number that JSON cannot write",
    { warned: "/model/settings/maxOutputTokens" },
    () => ({ maxOutputTokens: Number.POSITIVE_INFINITY }),
    () => ({ maxOutputTokens: Number.NaN }),
  ),
  row(
    "callOptionsSchema",
    { seen: "model" },
    () => ({ callOptionsSchema: z.object({ a: z.string() }) as never }),
    () => ({ callOptionsSchema: z.object({ a: z.number() }) as never }),
  ),
  row("description of a tool, a text", { seen: "tools" }, withTool({}), withTool({ description: "Reads." })),
  row(
    "description of a tool, a function",
    { warned: "/tools/read/description" },
    withTool({ description: says("a") }),
    withTool({ description: says("b") }),
  ),
  row(
    "needsApproval of a tool, a value",
    { seen: "tools" },
    withTool({ needsApproval: true }),
    withTool({ needsApproval: false }),
  ),
  row(
    "needsApproval of a tool, a function",
    { warned: "/tools/read/needsApproval" },
    withTool({ needsApproval: () => true }),
    withTool({ needsApproval: () => false }),
  ),
  row(
    "needsApproval of a tool, from a value to a function",
    { seen: "tools" },
    withTool({ needsApproval: true }),
    withTool({ needsApproval: () => true }),
  ),
  row(
    "inputSchema of a tool",
    { seen: "tools" },
    withTool({}),
    withTool({ inputSchema: z.object({ path: z.string().max(9) }) }),
  ),
  row(
    "refinement of an inputSchema",
    { warned: "/tools/read/inputSchema" },
    withTool({}),
    withTool({ inputSchema: z.object({ path: z.string().refine((path) => path !== "/") }) }),
  ),
  row(
    "validate of jsonSchema()",
    { warned: "/tools/read/inputSchema" },
    withTool({ inputSchema: jsonSchema({}) }),
    withTool({ inputSchema: jsonSchema({}, { validate: (value) => ({ success: true, value }) }) }),
  ),
  row("outputSchema of a tool", { seen: "tools" }, withTool({}), withTool({ outputSchema: z.string() })),
  row("execute of a tool", { warned: "/tools/read/execute" }, withTool({}), withTool({ execute: async () => "b" })),
  row(
    "instructions of an agent that a tool calls",
    { warned: "/tools/ask/execute" },
    () => asks("Find errors."),
    () => asks("Praise."),
  ),
  row(
    "what a method of the class of a tool does",
    { warned: "/tools/read" },
    () => ({ tools: { read: new ClassTool("a") } as never }),
    () => ({ tools: { read: new ClassTool("b") } as never }),
  ),
  row(
    "toModelOutput of a tool",
    { seen: "tools" },
    withTool({}),
    withTool({ toModelOutput: () => ({ type: "text", value: "a" }) }),
  ),
  row(
    "providerOptions of a tool",
    { seen: "tools" },
    withTool({}),
    withTool({ providerOptions: { acme: { cache: true } } }),
  ),
  row(
    "args of a provider tool",
    { seen: "tools" },
    () => searchTool(1) as never,
    () => searchTool(2) as never,
  ),
  row(
    "order of tools",
    { seen: "model" },
    () => ({ tools: { a: read(), b: read() } as never }),
    () => ({ tools: { b: read(), a: read() } as never }),
  ),
  row(
    "schema of an output",
    { seen: "outputSchema" },
    () => ({ output: Output.object({ schema: z.object({ a: z.string() }) }) as never }),
    () => ({ output: Output.object({ schema: z.object({ a: z.number() }) }) as never }),
  ),
  row(
    "refinement of the schema of an output",
    { warned: "/output/parseCompleteOutput" },
    () => ({ output: Output.object({ schema: z.object({ a: z.string() }) }) as never }),
    () => ({ output: Output.object({ schema: z.object({ a: z.string().refine((a) => a !== "") }) }) as never }),
  ),
];
