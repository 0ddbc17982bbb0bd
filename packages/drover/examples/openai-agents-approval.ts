// An OpenAI Agents SDK run that waits for an approval: it is paused into one text and resumed only by the agent that
// was paused.
import { pauseRun, resumeRun, type SpecWarning } from "@agentprint/drover";
import { specFromOpenAiAgent } from "@agentprint/drover/openai-agents";
import { Agent, type Model, RunState, run, tool } from "@openai/agents";
import { z } from "zod";

/** The agent as the current program defines it. */
export function createAgent(model: Model, path: z.ZodType<string> = z.string(), deleted: string[] = []): Agent {
  const remove = tool({
    name: "delete_file",
    description: "Deletes a file.",
    parameters: z.object({ path }),
    needsApproval: true,
    execute: async (input) => {
      deleted.push(input.path);
      return "deleted";
    },
  });
  return new Agent({ name: "keeper", instructions: "Keep the folder tidy.", model, tools: [remove] });
}

/** Runs the agent until a tool needs an approval. Keep the returned text where you store your runs. */
export async function pauseForApproval(agent: Agent, runId: string, input: string): Promise<string> {
  const { state } = await run(agent, input);
  return pauseRun(await specFromOpenAiAgent(agent), runId, state.toString());
}

export interface Finished {
  readonly output: string | undefined;
  /** The changes that may have gone unnoticed while the run waited. */
  readonly warnings: readonly SpecWarning[];
}

/** Approves the waiting calls and continues; rejects with a `ResumeError` if a different agent was paused. */
export async function approve(agent: Agent, runId: string, text: string): Promise<Finished> {
  const resumed = await resumeRun(await specFromOpenAiAgent(agent), runId, text);
  const state = await RunState.fromString(agent, String(resumed.state));
  for (const call of state.getInterruptions()) state.approve(call);
  const { finalOutput } = await run(agent, state);
  return { output: finalOutput, warnings: resumed.warnings };
}
