// Recovery from intentional drift: creates a new run under the new spec, and a trail record of who accepted which
// drift. There is deliberately no helper for this, because a named person must make this decision here, in code.
import { type AgentSpec, checkResume, diffSpecs, fingerprintSpec, hashSpec } from "@agentprint/drover";
import type { ThoughtRecord } from "@agentprint/trail";
import { createThought } from "@agentprint/trail/chain";
import type { Checkpoint, LibsqlStorage, Run } from "./libsql-storage.ts";

export interface AcceptedDrift {
  readonly run: Run;
  readonly record: ThoughtRecord;
}

export async function acceptDrift(
  oldRunId: string,
  newSpec: AgentSpec,
  { storage, acceptedBy, head }: { storage: LibsqlStorage; acceptedBy: string; head: ThoughtRecord | null },
): Promise<AcceptedDrift> {
  // Only certain or possible drift is accepted here: a missing run, a failing storage or another agent is still
  // refused.
  const check = await checkResume(newSpec, oldRunId, { storage });
  if (check.ok || !["spec-drift", "spec-undecided"].includes(check.error.code)) {
    throw new Error(`${oldRunId} has no drift to accept`);
  }

  // 1. Load the paused run's checkpoint.
  const oldRun = (await storage.loadRun(oldRunId)) as Run;
  const checkpoint = (await storage.loadLatestCheckpoint(oldRunId)) as Checkpoint;

  // 2. Create a new run row under the new spec, with its own fingerprint.
  const run: Run = {
    ...oldRun,
    id: `run_${crypto.randomUUID()}`,
    specHash: hashSpec(newSpec),
    specFingerprint: fingerprintSpec(newSpec),
    startedAt: Date.now(),
  };
  await storage.createRun(run);

  // 3. Save the checkpoint under the new run id.
  await storage.saveCheckpoint({ ...checkpoint, runId: run.id });

  // 4. Record who accepted the change, with the fields and both fingerprints. The old run is still refused.
  const diff = oldRun.specFingerprint ? diffSpecs(oldRun.specFingerprint, newSpec) : undefined;
  const content = JSON.stringify({
    acceptedBy,
    from: oldRunId,
    to: run.id,
    was: diff?.before ?? { spec32: oldRun.specHash },
    is: { spec32: run.specHash, sha256: run.specFingerprint?.sha256 },
    drift: diff?.changes ?? "unknown fields",
    undecided: diff?.undecided ?? [],
  });
  const fields = { type: "decision", task_id: oldRunId, agent_id: newSpec.id, content } as const;
  const record = createThought(fields, head, { now: () => new Date(), id: () => crypto.randomUUID() });
  return { run, record };
}
