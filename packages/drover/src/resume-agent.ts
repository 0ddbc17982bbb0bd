import { type CheckResumeOptions, checkResume, type ResumableRun } from "./check-resume.ts";
import type { AgentSpec } from "./spec.ts";
import type { RunRow } from "./storage.ts";

/** A requested resume. */
export interface ResumedAgent<Run extends RunRow = RunRow, Checkpoint = unknown> {
  /** The run, its newest checkpoint and the warnings. Rejects with the `ResumeError` of a run that must not resume. */
  readonly result: Promise<ResumableRun<Run, Checkpoint>>;
}

/**
 * Resumes a paused run, or refuses it: {@link checkResume} for a caller that wants a refusal to be thrown. The run
 * continues in the caller's code, from the checkpoint.
 *
 * @see Spec hash & drift, "Recovery from intentional drift"
 * @example
 * ```ts
 * import { hashSpec, resumeAgent } from "@agentprint/drover";
 *
 * const spec = { id: "writer", systemPrompt: "Write." };
 * const run = { agentId: "writer", status: "paused", specHash: hashSpec(spec) };
 * const storage = { loadRun: async () => run, loadLatestCheckpoint: async () => ({ messages: ["Hello."] }) };
 * const result = await resumeAgent(spec, "run_1", { storage }).result;
 * console.log(result.checkpoint.messages); // ["Hello."]
 * ```
 */
export function resumeAgent<Run extends RunRow, Checkpoint>(
  spec: AgentSpec,
  runId: string,
  options: CheckResumeOptions<Run, Checkpoint>,
): ResumedAgent<Run, Checkpoint> {
  return { result: handled(resume(spec, runId, options)) };
}

/** Returns the same promise. Its refusal ends no process when the caller awaits something else first. */
export function handled<T>(result: Promise<T>): Promise<T> {
  result.catch(() => {});
  return result;
}

async function resume<Run extends RunRow, Checkpoint>(
  spec: AgentSpec,
  runId: string,
  options: CheckResumeOptions<Run, Checkpoint>,
): Promise<ResumableRun<Run, Checkpoint>> {
  const check = await checkResume(spec, runId, options);
  if (!check.ok) throw check.error;
  const { run, checkpoint, warnings } = check;
  return { run, checkpoint, warnings };
}
