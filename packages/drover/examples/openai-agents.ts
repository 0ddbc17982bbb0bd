// The spec of an OpenAI Agents SDK agent.
import { fingerprintSpec, type SpecFingerprint } from "@agentprint/drover";
import { specFromOpenAiAgent } from "@agentprint/drover/openai-agents";
import { Agent, handoff, tool } from "@openai/agents";
import { z } from "zod";

const read = tool({
  name: "read",
  description: "Reads a file.",
  parameters: z.object({ path: z.string() }),
  execute: async ({ path }) => `content of ${path}`,
});
const critic = new Agent({ name: "critic", instructions: "Find what is wrong." });
const editor = new Agent({ name: "editor", instructions: "Repair it." });

export async function fingerprintAgent(instructions: string | (() => string)): Promise<SpecFingerprint> {
  const agent = new Agent({
    name: "writer",
    instructions,
    model: "large",
    modelSettings: { temperature: 0.2 },
    tools: [read],
    handoffs: [critic, handoff(editor, { toolNameOverride: "ask_editor" })],
  });
  return fingerprintSpec(await specFromOpenAiAgent(agent));
}
