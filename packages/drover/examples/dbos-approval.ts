// A DBOS workflow that waits for an approval. After a restart, DBOS recovers it; a step at the start of the workflow
// refuses a changed definition.
import type { AgentSpec } from "@agentprint/drover";
import { checkSpecStep } from "@agentprint/drover/dbos";
import { DBOS } from "@dbos-inc/dbos-sdk";

export const APPROVAL = "approval";

/** Registers the workflow, as each process does before `DBOS.launch()`. */
export function registerKeeper(
  spec: AgentSpec,
  deleteFile: (path: string) => Promise<string>,
): (path: string) => Promise<string> {
  const keep = async (path: string): Promise<string> => {
    for (const warning of await checkSpecStep(DBOS, spec)) DBOS.logger.warn(warning.message);
    const approved = await DBOS.recv<boolean>(APPROVAL, { timeoutSeconds: 3600 });
    if (approved !== true) return "kept";
    return DBOS.runStep(() => deleteFile(path), { name: "deleteFile" });
  };
  return DBOS.registerWorkflow(keep, { name: "keeper" });
}
