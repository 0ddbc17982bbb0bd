import { specFromOpenAiAgent } from "@agentprint/drover/openai-agents";
import { Agent, type AgentOptions, tool } from "@openai/agents";
import { z } from "zod";
import { changesOf } from "./change.ts";

/** The options that only an OpenAI Agents SDK agent has. */
export type Special = Partial<AgentOptions> & { listens?: boolean; Class?: typeof Agent };

type ToolOptions = Partial<Parameters<typeof tool>[0]>;

export const row: ReturnType<typeof changesOf<Special>> = changesOf(
  ({ listens = false, Class = Agent, ...special }: Special) => {
    const agent = new Class({ name: "writer", instructions: "Write.", model: "large", ...special } as AgentOptions);
    if (listens) agent.on("agent_start", () => undefined);
    return specFromOpenAiAgent(agent);
  },
);

export const same = (): Special => ({});

export const says =
  (text: string): (() => string) =>
  () =>
    text;

export const critic = (options: Partial<AgentOptions> = {}): Agent =>
  new Agent({ name: "critic", instructions: "Find what is wrong.", ...options } as AgentOptions);

export const read = (options: ToolOptions = {}): ReturnType<typeof tool> =>
  tool({
    name: "read",
    description: "Reads a file.",
    parameters: z.object({ path: z.string() }),
    execute: async () => "content",
    ...options,
  } as Parameters<typeof tool>[0]);

export const withTool = (options: ToolOptions) => (): Special => ({ tools: [read(options)] });
