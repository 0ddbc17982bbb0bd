// A Mastra run that waits for an approval, and a version that is published in the meantime: the run resumes only under
// the version that started it. The ticket is kept with the request for the approval.
import { pauseRun, resumeRun } from "@agentprint/drover";
import { specFromMastraAgent } from "@agentprint/drover/mastra";
import type { Mastra } from "@mastra/core";

export interface Waiting {
  readonly runId: string;
  /** The text of the paused run. */
  readonly ticket: string;
}

/** Starts a run of the published version, until a tool needs an approval. */
export async function startRun(mastra: Mastra, agentId: string, task: string): Promise<Waiting> {
  const agent = await mastra.getAgentById(agentId, { status: "published" });
  const spec = await specFromMastraAgent(agent);
  const { fullStream, runId } = await agent.stream(task);
  let toolCallId: string | undefined;
  for await (const chunk of fullStream) {
    if (chunk.type === "tool-call-approval") ({ toolCallId } = chunk.payload);
  }
  return { runId, ticket: pauseRun(spec, runId, { toolCallId }) };
}

/** Approves the call and continues; rejects with a `ResumeError` if another version is published by now. */
export async function approve(mastra: Mastra, agentId: string, { runId, ticket }: Waiting): Promise<string> {
  const agent = await mastra.getAgentById(agentId, { status: "published" });
  const { state } = await resumeRun(await specFromMastraAgent(agent), runId, ticket);
  const { toolCallId } = state as { readonly toolCallId: string };
  return (await agent.approveToolCall({ runId, toolCallId })).text;
}
