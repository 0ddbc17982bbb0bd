import { canonicalize, hashCanonical } from "@agentprint/canonical-json";
import { type ManifestDiff, VERDICTS } from "@agentprint/manifest";
import type { ThoughtInput } from "@agentprint/trail-store";

/** Replaces an agent's id for the registry's own chain, which records its keys, its signers and its rollbacks. */
export const OWN_CHAIN = "*";

/** Returns the task that contains an agent's records: the record of version n has index n - 1. */
export function taskOf(agentId: string): string {
  return agentId === OWN_CHAIN ? "registry" : `agents/${agentId}`;
}

/** Returns whether a change in the diff weakens consent. */
export function weakensConsent(diff: ManifestDiff): boolean {
  return Object.values(diff).some((changes) => changes.some(({ weakens_consent }) => weakens_consent));
}

/**
 * Returns the record of a version number that was lost in a rollback and will not be used again. `content` is canonical
 * JSON.
 */
export function lostRecord(agentId: string, version: number, at: Date): ThoughtInput {
  const content = canonicalize({ agent_id: agentId, capability_manifest_version: version, lost: true });
  return { type: "decision", task_id: taskOf(agentId), agent_id: agentId, content, timestamp: at.toISOString() };
}

/** An accepted version, as the trail records it. */
export interface AcceptedChange {
  readonly agentId: string;
  readonly version: number;
  readonly hash: string;
  readonly keyId: string;
  readonly diff: ManifestDiff;
  /** Whether this version was lost in a rollback and restored. */
  readonly isGivenBack?: boolean | undefined;
}

/**
 * Returns the record of an accepted version: its publisher, number and hash, and its diff, given as the kind and place
 * of each change and the digest of the complete diff. `content` is canonical JSON.
 */
export function changeRecord({ agentId, version, hash, keyId, diff, isGivenBack }: AcceptedChange): ThoughtInput {
  const changes = Object.values(diff)
    .flat()
    .map(({ kind, path }) => ({ kind, path, verdict: VERDICTS[kind] }));
  const content = canonicalize({
    agent_id: agentId,
    capability_manifest_hash: hash,
    capability_manifest_version: version,
    changes,
    diff_hash: hashCanonical(diff),
    ...(isGivenBack === true && { given_back: true }),
    key_id: keyId,
    weakens_consent: weakensConsent(diff),
  });
  return { type: "decision", task_id: taskOf(agentId), agent_id: agentId, content };
}
