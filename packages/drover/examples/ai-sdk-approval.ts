// An AI SDK agent whose tool waits for an approval across a restart of the process: its saved state is one text.
import { pauseRun, resumeRun } from "@agentprint/drover";
import { type AiSdkAgentSettings, specFromAiSdk } from "@agentprint/drover/ai-sdk";
import {
  type LanguageModel,
  type ModelMessage,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  type ToolSet,
  tool,
} from "ai";
import { z } from "zod";

type Settings = ToolLoopAgentSettings<never, ToolSet>;

/** The agent as the current program defines it. */
export function createSettings(
  model: LanguageModel,
  { path = z.string(), deleted = [] }: { readonly path?: z.ZodType<string>; readonly deleted?: string[] } = {},
): Settings {
  const remove = tool({
    description: "Deletes a file.",
    inputSchema: z.object({ path }),
    execute: async (input) => `deleted ${deleted.push(input.path)}`,
  });
  const settings = { id: "keeper", model, instructions: "Keep the folder tidy.", tools: { delete_file: remove } };
  return { ...settings, toolApproval: { delete_file: "user-approval" } } as Settings;
}

const specOf = (settings: Settings) => specFromAiSdk(settings as AiSdkAgentSettings);

/** Runs the agent until a tool needs an approval. Keep the returned text on the server, under the chat's id. */
export async function pauseForApproval(settings: Settings, chatId: string, prompt: string): Promise<string> {
  const asked: ModelMessage = { role: "user", content: prompt };
  const { responseMessages } = await new ToolLoopAgent(settings).generate({ messages: [asked] });
  return pauseRun(await specOf(settings), chatId, [asked, ...responseMessages]);
}

/** Approves the waiting calls and continues; rejects with a `ResumeError` if a different agent was paused. */
export async function approve(settings: Settings, chatId: string, text: string): Promise<string> {
  const { state } = await resumeRun(await specOf(settings), chatId, text);
  const messages = state as ModelMessage[];
  const parts = messages.flatMap(({ role, content }) =>
    role === "assistant" && Array.isArray(content) ? content : [],
  );
  const approvals = parts.filter((part) => part.type === "tool-approval-request");
  const answer: ModelMessage = {
    role: "tool",
    content: approvals.map(({ approvalId }) => ({ type: "tool-approval-response", approvalId, approved: true })),
  };
  return (await new ToolLoopAgent(settings).generate({ messages: [...messages, answer] })).text;
}
