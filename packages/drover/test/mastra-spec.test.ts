import { fingerprintSpec } from "@agentprint/drover";
import { type MastraAgent, specFromMastraAgent } from "@agentprint/drover/mastra";
import { expect, test } from "vitest";

/** The functions of an agent that the adapter calls; test/slow/ has the library's agents. */
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

test("a Mastra agent is described by the results of its functions", async () => {
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
  const unseen = spec.unseen?.map(({ path }) => path);
  expect(unseen).toEqual(expect.arrayContaining(["/model", "/tools/read", "/tools/read/mastra"]));
  // If an agent has no functions that return these options, the options cannot be checked.
  expect(unseen).toEqual(expect.arrayContaining(["/hooks", "/workspace", "/scorers", "/skills", "/voice", ""]));
});

test("its tools, memory and processors are covered", async () => {
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

/** An agent that is an instance of a class, as in the library, with options behind functions and getters. */
function agentWith(options: object, own: object = {}): MastraAgent {
  const prototype = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(options));
  return Object.assign(Object.create(prototype), agentOf("writer"), { component: "AGENT", source: "code" }, own);
}

const optionsOf = async (agent: MastraAgent) => ((await specFromMastraAgent(agent)).model as { agent?: unknown }).agent;

test("options behind functions and getters are hashed as data, if they are set", async () => {
  class LocalFiles {
    basePath = "/";
  }
  class Mounts {
    mounts = new Map([["/data", new LocalFiles()]]);
  }
  class Workspace {
    filesystem = new Mounts();
    sandbox = undefined;
    getToolsConfig = () => ({ delete: { enabled: true } });
  }
  const unset = { getMetadata: () => ({}), getDeclaredSchedules: () => [], getChannels: () => null };
  expect(await optionsOf(agentWith(unset))).toBeUndefined();
  const set = {
    getConfiguredToolHooks: () => ({ beforeToolCall: () => 1 }),
    getWorkspace: async () => new Workspace(),
    getMetadata: () => ({ team: "a" }),
    get durable() {
      return true;
    },
    get _internal() {
      return 1;
    },
  };
  expect(await optionsOf(agentWith(set, { _agentNetworkAppend: false, later: { added: 1 } }))).toMatchObject({
    durable: true,
    hooks: { functions: ["beforeToolCall"] },
    later: { added: 1 },
    metadata: { team: "a" },
    workspace: {
      class: "Workspace",
      tools: { delete: { enabled: true } },
      filesystem: { class: "Mounts", mounts: { "/data": { class: "LocalFiles", basePath: "/" } } },
    },
  });
  expect(await optionsOf(agentWith({ getWorkspace: () => ({}) }, { source: "stored" }))).toMatchObject({
    source: "stored",
  });
  const bare = { getWorkspace: () => new (class Bare {})() };
  expect(await optionsOf(agentWith(bare))).toEqual({ workspace: { class: "Bare" } });
});

test("an option whose reading throws is named as unseen", async () => {
  const broken = {
    getWorkspace: async () => {
      throw new Error("no folder");
    },
    get browser() {
      throw new Error("no browser");
    },
  };
  const { unseen } = await specFromMastraAgent(agentWith(broken));
  expect(unseen).toContainEqual({
    path: "/workspace",
    message: "it could not be read, so it is not hashed: no folder",
  });
  expect(unseen).toContainEqual({ path: "/browser", message: "it could not be read, so it is not hashed: no browser" });
});

test("a processor without an id is named as unseen", async () => {
  const listing = { listConfiguredInputProcessors: async () => [{ id: "limit" }, { processInput: () => 1 }] };
  const { unseen } = await specFromMastraAgent(agentWith(listing));
  expect(unseen).toContainEqual({ path: "/inputProcessors", message: "a processor without an id is not hashed" });
});

test("instructions that are a list differ from the text of that list", async () => {
  const list = [{ role: "system", content: "Write." }];
  const digests = [list, JSON.stringify(list)].map(
    async (instructions) => fingerprintSpec(await specFromMastraAgent(agentOf("writer", { instructions }))).sha256,
  );
  const [ofList, ofText] = await Promise.all(digests);
  expect(ofList).not.toBe(ofText);
});

test("the configuration of an agent is refused where an agent is expected", async () => {
  const config = { id: "writer", name: "Writer", instructions: "Write.", model: "acme/large" };
  for (const wrong of [config, null, undefined, "writer", [config], new Map()]) {
    await expect(specFromMastraAgent(wrong as never)).rejects.toMatchObject({
      name: "SpecError",
      code: "invalid-spec",
    });
  }
});
