import type { JudgedChange, ManifestWarning, ScopeConsent } from "@agentprint/manifest";

/** A version of an agent's manifest. */
export interface VersionName {
  readonly agent_id: string;
  /** From 1, without gaps. */
  readonly capability_manifest_version: number;
  /** SHA-256 of the canonical JSON of the manifest, 64 lowercase hex digits. */
  readonly capability_manifest_hash: string;
}

/** The answer to an accepted manifest: exactly these four members. */
export interface PublishAnswer extends VersionName {
  readonly breaking_changes: readonly JudgedChange[];
}

/** The changes between two manifests by verdict. */
export interface Changes {
  readonly breaking_changes: readonly JudgedChange[];
  readonly non_breaking_changes: readonly JudgedChange[];
  readonly unclassified_changes: readonly JudgedChange[];
  /** Whether a change asks users for less consent, or for a different one, than they agreed to. */
  readonly weakens_consent: boolean;
}

/** The result that publishing a manifest would have. */
export interface Preview extends VersionName, Changes {
  readonly dry_run: true;
  readonly warnings: readonly ManifestWarning[];
}

/** An agent at its present version. */
export interface AgentItem extends VersionName {
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
}

/** An agent and the warnings about its present manifest. */
export interface Agent extends AgentItem {
  readonly warnings: readonly ManifestWarning[];
}

/** A page of agents by id; if more follow, `next` is the last id of the page. */
export interface AgentPage {
  readonly agents: readonly AgentItem[];
  readonly next: string | null;
}

/** An accepted version. */
export interface VersionItem extends VersionName {
  readonly breaking_changes: readonly JudgedChange[];
  readonly weakens_consent: boolean;
  /** The id of the key that published it. */
  readonly key_id: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** A page of versions, oldest first; if more follow, `next` is the last version of the page. */
export interface VersionPage {
  readonly versions: readonly VersionItem[];
  readonly next: number | null;
}

/** A version with its manifest, for which the schema accepts any JSON value. */
export interface VersionAnswer extends VersionItem {
  readonly warnings: readonly ManifestWarning[];
  readonly manifest: unknown;
}

/** The changes from one version to another. */
export interface Diff extends Changes {
  readonly agent_id: string;
  readonly from: number;
  readonly to: number;
}

/** The questions to a user who accepted version `accepted`, or to one who is about to add the agent, at version `present`. */
export interface Consent {
  readonly agent_id: string;
  /** `null` for a user who is about to add the agent. */
  readonly accepted: number | null;
  readonly present: number;
  /** Whether a version since the accepted one has breaking changes. */
  readonly review: boolean;
  readonly scopes: readonly ScopeConsent[];
}

/** The record of a version in the registry's trail, with its inclusion proof in the tree of the checkpoint. */
export interface HistoryEntry {
  readonly version: number;
  readonly record: { readonly id: string; readonly content: string; readonly prev_hash: string; readonly hash: string };
  /** `null` if the record is newer than the checkpoint. */
  readonly proof: { readonly index: number; readonly size: number; readonly hashes: readonly string[] } | null;
}

/**
 * A page of an agent's history, with everything needed to verify it offline, except a key that is known from elsewhere.
 */
export interface History {
  readonly agent_id: string;
  readonly task_id: string;
  /** The origin that the checkpoint must have. */
  readonly origin: string;
  /** The registry's public key, in the signed-note format. */
  readonly verifier_key: string;
  /** The newest signed checkpoint (C2SP tlog-checkpoint); `null` before the first one. */
  readonly checkpoint: string | null;
  readonly entries: readonly HistoryEntry[];
  /** The last version of the page, if more follow. */
  readonly next: number | null;
}

/** The key that signs checkpoints, and the notes with which keys signed their successors. */
export interface Signer {
  readonly verifier_key: string;
  readonly successions: readonly string[];
}

/** An error from the registry (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The reason, for programs: `AGENT_NOT_FOUND`, `MANIFEST_TOO_LARGE`, … */
  readonly code: string;
  /** Each error in the request, with its JSON Pointer. */
  readonly errors?: readonly {
    readonly code: string;
    readonly detail: string;
    readonly pointer?: string | undefined;
    readonly parameter?: string | undefined;
    readonly line?: number | undefined;
    readonly column?: number | undefined;
  }[];
}

/** A version as a stream of events reports it. */
export interface VersionNews extends VersionName {
  readonly breaking_changes: readonly JudgedChange[];
  readonly weakens_consent: boolean;
  readonly created_at: string;
}

/** The data of the event `reset`: the agent is at this version and has to be read again. */
export interface ResetNews {
  readonly agent_id: string;
  /** 0 if there is no such agent. */
  readonly capability_manifest_version: number;
}

/** The data of the event `start`: the version of each agent at which the stream begins. */
export interface StartNews {
  readonly versions: readonly ResetNews[];
}
