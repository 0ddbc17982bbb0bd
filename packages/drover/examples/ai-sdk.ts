// The spec of a Vercel AI SDK agent.
import { fingerprintSpec, type SpecFingerprint } from "@agentprint/drover";
import { specFromAiSdk } from "@agentprint/drover/ai-sdk";
import { isStepCount, jsonSchema, Output, ToolLoopAgent, type ToolLoopAgentSettings, type ToolSet, tool } from "ai";
import { z } from "zod";

type Title = ReturnType<typeof Output.object<{ title: string }>>;
type Settings = ToolLoopAgentSettings<never, ToolSet, Record<string, unknown>, Title>;

export function createSettings(instructions: string): Settings {
  return {
    id: "writer",
    model: "acme/large",
    instructions,
    temperature: 0.2,
    stopWhen: isStepCount(5),
    output: Output.object({ schema: z.object({ title: z.string() }) }),
    tools: {
      read: tool({
        description: "Reads a file.",
        inputSchema: z.object({ path: z.string() }),
        execute: async ({ path }) => `content of ${path}`,
      }),
      list: tool({
        description: "Lists a folder.",
        inputSchema: jsonSchema<{ folder: string }>({ type: "object", properties: { folder: { type: "string" } } }),
        execute: async ({ folder }) => [folder],
      }),
    },
  };
}

export async function fingerprintAgent(instructions: string): Promise<SpecFingerprint> {
  const settings = createSettings(instructions);
  const agent = new ToolLoopAgent(settings);
  return fingerprintSpec(await specFromAiSdk({ ...settings, tools: agent.tools }));
}
