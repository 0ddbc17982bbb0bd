import { consentFor } from "@agentprint/manifest";
import type { Consent } from "@agentprint/registry-api/answers";
import type { Services } from "../http/services.ts";
import { readAgent, readVersion } from "../store/read.ts";
import { scopesOfAll } from "../store/scope-runs.ts";

/**
 * Returns the questions for a user who accepted a version or, without a version, for a user who adds the agent.
 *
 * @throws {@link RegistryError} `AGENT_NOT_FOUND`, `VERSION_NOT_FOUND`.
 */
export async function readConsent(
  { store, manifests }: Pick<Services, "store" | "manifests">,
  agentId: string,
  accepted: number | undefined,
): Promise<Consent> {
  const before = accepted === undefined ? undefined : await readVersion(store, agentId, accepted);
  const { version } = await readAgent(store, agentId);
  const row = await readVersion(store, agentId, version);
  const present = manifests.read(row);
  const since = before && {
    manifest: manifests.read(before),
    kept: await scopesOfAll(store.db, agentId, before.version, version),
  };
  return {
    agent_id: agentId,
    accepted: accepted ?? null,
    present: version,
    review: before !== undefined && row.breaking_version > before.version,
    scopes: consentFor(present, since),
  };
}
