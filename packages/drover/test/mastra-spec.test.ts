import { type MastraAgent, specFromMastraAgent } from "@agentprint/drover/mastra";
import { expect, test } from "vitest";

/** The functions that the adapter calls of an agent; test/slow/ has the agents of the library. */
function agentOf(id: string, members: { [name: string]: unknown } = {}): MastraAgent {
  const {
    instructions = "Write.",
    tools = {},
    agents = {},
    workflows = {},
    models = null,
    memory,
    processors,
  } = members;
  return {
    id,
    getDescription: () => "",
    getInstructions: async () => instructions,
    getModel: async () => ({ provider: "acme", modelId: "large" }),
    getModelList: async () => models,
    getDefaultOptions: () => ({ maxSteps: 5 }),
    getConfiguredProcessorIds: async () => processors ?? {},
    getMemory: async () => memory,
    listTools: async () => tools,
    listAgents: () => agents,
    listWorkflows: async () => workflows,
  };
}

const inputSchema = { type: "object", properties: { path: { type: "string" } } };

test("a Mastra agent is what its functions say", async () => {
  const spec = await specFromMastraAgent(
    agentOf("writer", { tools: { read: { inputSchema, execute: () => 1, mastra: 1 } } }),
  );
  expect(spec).toMatchObject({
    id: "writer",
    systemPrompt: "Write.",
    model: {
      models: [{ names: { provider: "acme", modelId: "large" } }],
      options: { maxSteps: 5 },
      toolOrder: ["read"],
    },
    tools: { read: { functions: ["execute"], inputSchema } },
    memory: null,
    plugins: [],
  });
  expect(spec.tools).not.toMatchObject({ read: { mastra: 1 } });
  expect(spec.unseen?.map(({ path }) => path)).toEqual(["/model", "/tools/read"]);
});

test("what it calls, remembers and processes is in it", async () => {
  class Memory {
    lastMessages = 5;
    getMergedThreadConfig() {
      return { lastMessages: this.lastMessages };
    }
  }
  const critic = agentOf("critic", { instructions: [{ role: "system", content: "Find faults." }] });
  const spec = await specFromMastraAgent(
    agentOf("writer", {
      models: [{ id: "random", model: { provider: "acme", modelId: "small" }, maxRetries: 2 }],
      memory: new Memory(),
      processors: { inputProcessorIds: ["limit"], outputProcessorIds: [] },
      agents: { critic, again: critic, foreign: { id: "foreign", run: () => 1 } },
      workflows: { tidy: { id: "tidy", inputSchema, serializedStepGraph: [{ type: "step", step: { id: "a" } }] } },
    }),
  );
  expect(spec).toMatchObject({
    model: { models: [{ maxRetries: 2, names: { modelId: "small" } }] },
    memory: { class: "Memory", options: { lastMessages: 5 } },
    plugins: [{ id: "inputProcessors/limit" }],
    subagents: {
      agents: {
        critic: { systemPrompt: '[{"role":"system","content":"Find faults."}]' },
        again: { "~same": "/agents/critic" },
        foreign: { id: "foreign", functions: ["run"] },
      },
      workflows: { tidy: { id: "tidy", inputSchema, steps: [{ type: "step", step: { id: "a" } }] } },
    },
  });
  expect(JSON.stringify(spec.model)).not.toContain("random");
});
