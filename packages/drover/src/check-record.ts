import { isObject } from "@agentprint/canonical-json";
import { ResumeError } from "./errors.ts";
import { resumeAgent } from "./resume-agent.ts";
import type { AgentSpec } from "./spec.ts";
import type { SpecWarning } from "./spec-warning.ts";
import type { RunRow } from "./storage.ts";

/**
 * Checks a spec against the record that a framework kept with a paused run.
 *
 * @param record - A `SpecRecord` as it came back from the framework's storage; its payload may be missing.
 * @returns A promise of the warnings, which rejects with the {@link ResumeError} from `checkResume` when the run must
 * not resume, or with `fingerprint-not-found` for a run that was stored without a record.
 */
export async function checkRecord(spec: AgentSpec, runId: string, record: unknown): Promise<readonly SpecWarning[]> {
  if (!isObject(record) || !isObject(record["specFingerprint"])) {
    const message = `cannot tell whether agent "${spec.id}" drifted: run ${runId} has no recorded spec fingerprint`;
    throw new ResumeError("fingerprint-not-found", runId, message);
  }
  const run = { ...record, status: "paused" } as unknown as RunRow;
  const storage = { loadRun: async () => run, loadLatestCheckpoint: async () => record };
  const { warnings } = await resumeAgent(spec, runId, { storage }).result;
  return warnings;
}
