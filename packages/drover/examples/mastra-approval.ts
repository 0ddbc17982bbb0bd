// A Mastra run waits for an approval while another version is published: the run resumes only under the version that
// started it. The text of the paused run is kept with the approval request.
import { pauseRun, resumeRun } from "@agentprint/drover";
import { specFromMastraAgent } from "@agentprint/drover/mastra";
import type { Mastra } from "@mastra/core";

export interface Waiting {
  readonly runId: string;
  /** The text of the paused run. */
  readonly ticket: string;
}

/** Runs the published version until a tool needs an approval. */
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

/** Approves the call and continues; rejects with a `ResumeError` if another version has been published. */
export async function approve(mastra: Mastra, agentId: string, { runId, ticket }: Waiting): Promise<string> {
  const agent = await mastra.getAgentById(agentId, { status: "published" });
  const { state } = await resumeRun(await specFromMastraAgent(agent), runId, ticket);
  const { toolCallId } = state as { readonly toolCallId: string };
  return (await agent.approveToolCall({ runId, toolCallId })).text;
}
