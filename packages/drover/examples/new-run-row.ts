// Recovery from intentional drift as the specification "Spec hash & drift" describes it: creates a new run row under
// the new spec, then resumes it.
import { type AgentSpec, hashSpec, type ResumableRun } from "@agentprint/drover";
import { type EffectRunStorage, resumeAgent } from "@agentprint/drover/effect";
import { Effect } from "effect";
import type { Checkpoint, Run } from "./libsql-storage.ts";

export async function resumeUnderNewSpec(
  storage: EffectRunStorage<Run, Checkpoint>,
  oldRunId: string,
  newSpec: AgentSpec,
): Promise<ResumableRun<Run, Checkpoint>> {
  const oldRun = (await Effect.runPromise(storage.loadRun(oldRunId))) as Run;

  // 1. Load the paused run's checkpoint.
  const cp = (await Effect.runPromise(storage.loadLatestCheckpoint(oldRunId))) as Checkpoint;

  // 2. Create a new run row under the new spec.
  const newRunId = `run_${crypto.randomUUID()}`;
  await Effect.runPromise(
    storage.createRun({
      id: newRunId,
      agentId: newSpec.id,
      specHash: hashSpec(newSpec),
      status: "paused",
      input: oldRun.input,
      startedAt: Date.now(),
      tokensIn: oldRun.tokensIn,
      tokensOut: oldRun.tokensOut,
      costUsd: oldRun.costUsd,
    }),
  );

  // 3. Save the checkpoint under the new run id.
  await Effect.runPromise(storage.saveCheckpoint({ ...cp, runId: newRunId }));

  // 4. Resume the new run.
  const result = await resumeAgent(newSpec, newRunId, { storage }).result;
  return result;
}
