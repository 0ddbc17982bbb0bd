import type { ManifestDiff, ManifestWarning } from "@agentprint/manifest";
import type { Publication } from "../store/publication.ts";
import type { ListedVersion } from "../store/read.ts";
import type { AgentRow, VersionRow } from "../store/schema.ts";
import { weakensConsent } from "../trail/change-record.ts";

/** Returns the answer to an accepted PATCH: exactly the four members in the specification. */
export function publishAnswer({ agentId, version, hash, diff }: Publication): object {
  return {
    agent_id: agentId,
    capability_manifest_version: version,
    capability_manifest_hash: hash,
    breaking_changes: diff.breaking,
  };
}

/** Returns a diff's changes by verdict, and whether a change weakens consent. */
export function diffAnswer(diff: ManifestDiff): object {
  return {
    breaking_changes: diff.breaking,
    non_breaking_changes: diff.nonBreaking,
    unclassified_changes: diff.unclassified,
    weakens_consent: weakensConsent(diff),
  };
}

/** Returns the answer to a PATCH that changes nothing. */
export function previewAnswer({ agentId, version, hash, warnings }: Publication, diff: ManifestDiff): object {
  return {
    agent_id: agentId,
    capability_manifest_version: version,
    capability_manifest_hash: hash,
    dry_run: true,
    ...diffAnswer(diff),
    warnings,
  };
}

/** Returns an agent as an item in a list. */
export function agentItem({ id, version, hash, created_at, updated_at }: AgentRow): object {
  return {
    agent_id: id,
    capability_manifest_version: version,
    capability_manifest_hash: hash,
    created_at,
    updated_at,
  };
}

/** Returns a single agent, with the warnings about its manifest. */
export function agentAnswer(agent: AgentRow, { warnings }: VersionRow): object {
  return { ...agentItem(agent), warnings: JSON.parse(warnings) as ManifestWarning[] };
}

/** Returns a version as an item in a list. */
export function versionItem(row: ListedVersion): object {
  return {
    agent_id: row.agent_id,
    capability_manifest_version: row.version,
    capability_manifest_hash: row.hash,
    breaking_changes: JSON.parse(row.breaking_changes),
    weakens_consent: row.weakens_consent === 1,
    key_id: row.key_id,
    created_at: row.created_at,
  };
}
