import { fingerprintSpec, SpecError } from "@agentprint/drover";
import { specFromAiSdk } from "@agentprint/drover/ai-sdk";
import { specFromLangGraph } from "@agentprint/drover/langgraph";
import { specFromOpenAiAgent } from "@agentprint/drover/openai-agents";
import { Agent } from "@openai/agents";
import { ToolLoopAgent } from "ai";
import { describe, expect, test } from "vitest";

describe("instructions that are a list", () => {
  const list = [{ role: "system", content: "Write." }];

  test.each([
    ["AI SDK", (instructions: unknown) => specFromAiSdk({ model: "m", instructions })],
    ["OpenAI Agents", (instructions: unknown) => specFromOpenAiAgent({ name: "w", instructions })],
    [
      "a handoff of OpenAI Agents",
      (instructions: unknown) =>
        specFromOpenAiAgent({ name: "w", instructions: "Write.", handoffs: [{ name: "h", instructions }] }),
    ],
  ])("differ from the text of that list: %s", async (_name, describeAgent) => {
    const ofList = fingerprintSpec(await describeAgent(list)).sha256;
    for (const text of ["Write.", JSON.stringify(list), String(list)]) {
      expect(fingerprintSpec(await describeAgent(text)).sha256).not.toBe(ofList);
    }
    expect(fingerprintSpec(await describeAgent([{ role: "system", content: "Edit." }])).sha256).not.toBe(ofList);
  });
});

describe("a wrong argument is an error with a code", () => {
  const settings = { model: "m", instructions: "Write." } as const;
  const nodes = {};

  test.each<[name: string, path: string, describeAgent: () => unknown]>([
    ["a ToolLoopAgent for its settings", "", () => specFromAiSdk(new ToolLoopAgent(settings) as never)],
    ["a function for settings", "", () => specFromAiSdk((() => settings) as never)],
    ["null for settings", "", () => specFromAiSdk(null as never)],
    ["settings without a model", "", () => specFromAiSdk({ instructions: "Write." } as never)],
    ["settings with a list of tools", "", () => specFromAiSdk({ ...settings, tools: [{}] })],
    ["a tool that is no object", "/tools/read", () => specFromAiSdk({ ...settings, tools: { read: 1 } })],
    ["null for an agent", "", () => specFromOpenAiAgent(null as never)],
    ["an agent without a name", "", () => specFromOpenAiAgent({ instructions: "Write." } as never)],
    ["no definition", "", () => specFromLangGraph(undefined as never)],
    ["a graph for a definition", "", () => specFromLangGraph({ nodes, edges: [] } as never)],
    [
      "null for a tool of a graph",
      "/tools/0",
      () => specFromLangGraph({ id: "w", configurable: { systemPrompt: "" }, tools: [null as never] }),
    ],
    ["a record of tools", "", () => specFromLangGraph({ id: "w", configurable: {}, tools: {} as never })],
    ["a compiled graph", "", () => specFromLangGraph({ id: "w", configurable: {}, graph: { nodes } as never })],
    ["null for a graph", "", () => specFromLangGraph({ id: "w", configurable: {}, graph: null as never })],
  ])("%s", async (_name, path, describeAgent) => {
    await expect((async () => describeAgent())()).rejects.toMatchObject({
      name: SpecError.name,
      code: "invalid-spec",
      path,
      message: expect.stringMatching(/expected .*; received /),
    });
  });
});

test("a subclass is named as unseen, also if it has the name of the framework's class", async () => {
  const Base = Agent;
  const subclasses = [class Agent extends Base {}, class Strict extends Base {}];
  for (const Subclass of subclasses) {
    const { unseen } = await specFromOpenAiAgent(new Subclass({ name: "w", instructions: "Write." }));
    expect(unseen).toContainEqual({
      path: "",
      message: `the behaviour of the class of an instance of ${Subclass.name} is not hashed`,
    });
  }
  const { unseen } = await specFromOpenAiAgent(new Base({ name: "w", instructions: "Write." }));
  expect(unseen?.filter(({ message }) => message.includes("instance"))).toEqual([]);
});

test("an option that a LangChain tool holds only as it was given is named as unseen, except for its value", () => {
  const spec = specFromLangGraph({
    id: "w",
    configurable: { systemPrompt: "Write." },
    tools: [{ name: "read", verbose: false, lc_kwargs: { name: "read", apiKey: "secret", absent: undefined } }],
  });
  expect(spec.tools).toEqual([{ name: "read" }]);
  expect(spec.unseen).toContainEqual({
    path: "/tools/0",
    message: "options found only in lc_kwargs are not hashed: apiKey",
  });
});
