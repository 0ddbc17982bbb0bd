import type { JudgedManifestDiff } from "@agentprint/manifest";
import type { Services } from "../http/services.ts";
import type { Deadline } from "../load/deadline.ts";
import { readVersion } from "../store/read.ts";

/**
 * Returns the judged diff of an agent's two versions.
 *
 * @throws {@link RegistryError} `AGENT_NOT_FOUND`, `VERSION_NOT_FOUND`, `UNAVAILABLE` when too many diffs are waiting.
 */
export async function readDiff(
  { store, manifests, judge }: Pick<Services, "store" | "manifests" | "judge">,
  agentId: string,
  from: number,
  to: number,
  deadline: Deadline | undefined,
): Promise<JudgedManifestDiff> {
  const [before, after] = [await readVersion(store, agentId, from), await readVersion(store, agentId, to)];
  const judged = (): Promise<JudgedManifestDiff> =>
    judge.judge(
      { hash: before.hash, manifest: manifests.read(before) },
      { hash: after.hash, manifest: manifests.read(after) },
    );
  return deadline ? deadline.without(judged) : judged();
}
