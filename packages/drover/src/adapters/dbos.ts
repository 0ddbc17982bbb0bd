import { checkArgument } from "../check-argument.ts";
import { checkRecord } from "../check-record.ts";
import { recordSpec } from "../record-spec.ts";
import type { AgentSpec } from "../spec.ts";
import type { SpecWarning } from "../spec-warning.ts";

/** The part of `DBOS` that the check uses. */
export interface DbosSteps {
  readonly workflowID: string | undefined;
  runStep<Output>(step: () => Promise<Output>, config: { readonly name: string }): Promise<Output>;
}

/**
 * Checks the spec in a DBOS workflow. The workflow's first run records the spec as the output of a step; a recovered
 * workflow gets that output back and ends with a `ResumeError` if the spec has drifted since. Call this before the
 * first step that depends on the agent, so that no such step runs after a refusal.
 *
 * @param dbos - `DBOS` of `@dbos-inc/dbos-sdk`.
 * @param spec - The agent's spec as this process defines it.
 * @returns A promise of the warnings about parts that may have changed unnoticed.
 * @throws {@link SpecError} the codes of `fingerprintSpec` when the spec cannot be hashed
 * @example
 * ```ts
 * import { checkSpecStep } from "@agentprint/drover/dbos";
 *
 * const dbos = { workflowID: "run_1", runStep: <T>(step: () => Promise<T>) => step() }; // in a workflow: DBOS
 * console.log(await checkSpecStep(dbos, { id: "writer", systemPrompt: "Write." })); // []
 * ```
 */
export async function checkSpecStep(dbos: DbosSteps, spec: AgentSpec): Promise<readonly SpecWarning[]> {
  checkArgument("dbos", dbos, { runStep: "function" });
  checkArgument("spec", spec, "object");
  const record = await dbos.runStep(async () => recordSpec(spec), { name: "agentprint.recordSpec" });
  return checkRecord(spec, String(dbos.workflowID), record);
}
