import type { Consent } from "@agentprint/registry-api/answers";
import type { Services } from "../http/services.ts";
import { readAgent, readVersion } from "../store/read.ts";
import { scopesOfAll } from "../store/scope-runs.ts";
import { consentSince } from "./consent-since.ts";

/**
 * Returns the questions to a user who accepted a version; without a version, those to a user who adds the agent.
 *
 * @throws {@link RegistryError} `AGENT_NOT_FOUND`, `VERSION_NOT_FOUND`.
 */
export async function readConsent(
  { store, manifests }: Pick<Services, "store" | "manifests">,
  agentId: string,
  accepted: number | undefined,
): Promise<Omit<Consent, "accepted"> & { readonly accepted: number | undefined }> {
  const before = accepted === undefined ? undefined : await readVersion(store, agentId, accepted);
  const { version } = await readAgent(store, agentId);
  const row = await readVersion(store, agentId, version);
  const present = manifests.read(row);
  const kept = before ? await scopesOfAll(store.db, agentId, before.version, version) : new Set<string>();
  return {
    agent_id: agentId,
    accepted,
    present: version,
    review: before !== undefined && row.breaking_version > before.version,
    scopes: consentSince(before ? manifests.read(before) : { ...present, permission_scopes: [] }, present, kept),
  };
}
