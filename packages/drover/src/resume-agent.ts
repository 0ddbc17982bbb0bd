import { type CheckResumeOptions, checkResume, type ResumableRun } from "./check-resume.ts";
import type { AgentSpec } from "./spec.ts";
import type { RunRow } from "./storage.ts";

/** A requested resume. */
export interface ResumedAgent<Run extends RunRow = RunRow, Checkpoint = unknown> {
  /** The run, its newest checkpoint and the warnings. Rejects with a `ResumeError` if the run must not resume. */
  readonly result: Promise<ResumableRun<Run, Checkpoint>>;
}

/**
 * Resumes a paused run or refuses it, like {@link checkResume}, but throws the refusal. The run continues in the
 * caller's code, from the checkpoint.
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

/** Returns the same promise. A refusal does not end the process if the caller first awaits something else. */
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
