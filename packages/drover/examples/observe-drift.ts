// An observer for your own resume code, which reports runs that would be refused but refuses none. No function of the
// library resumes a run under another spec. The program decides here whether this run continues.
import {
  type AgentSpec,
  checkResume,
  type ResumeError,
  type ResumeStorage,
  type SpecWarning,
} from "@agentprint/drover";

export type Observation =
  | { readonly drift: "none"; readonly warnings: readonly SpecWarning[] }
  /** The refusal's code, such as `spec-drift`; the error names the fields and the values. */
  | { readonly drift: ResumeError["code"]; readonly error: ResumeError };

export interface ObservedResume<T> {
  readonly storage: ResumeStorage;
  readonly report: (observation: Observation) => void;
  /** The program's own resume function, as it was before the check for drift. */
  readonly resume: () => Promise<T>;
}

export async function resumeObserved<T>(runId: string, spec: AgentSpec, run: ObservedResume<T>): Promise<T> {
  const check = await checkResume(spec, runId, { storage: run.storage });
  run.report(check.ok ? { drift: "none", warnings: check.warnings } : { drift: check.error.code, error: check.error });
  return run.resume();
}
