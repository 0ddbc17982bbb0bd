import type { StoredCheckpoint, StoredRecord } from "./trail-tables.ts";

/** An agent's current version. */
export interface AgentRow {
  readonly id: string;
  readonly version: number;
  readonly hash: string;
  readonly created_at: string;
  readonly updated_at: string;
  /**
   * The last version accepted before a rollback; 0 if there was none. Versions up to this one must be restored first.
   */
  readonly lost_until: number;
  /** The last number that was lost in a rollback and not restored; 0 if there is none. */
  readonly reached: number;
  /** 1 while no one has declared which version the agent had reached before a rollback. */
  readonly is_unsettled: number;
}

/** A manifest's canonical JSON, which versions with the same hash share. */
export interface ManifestRow {
  readonly hash: string;
  readonly body: string;
}

/** One accepted version of an agent's manifest. */
export interface VersionRow {
  readonly agent_id: string;
  readonly version: number;
  readonly hash: string;
  /** JSON: the breaking changes since the previous version. */
  readonly breaking_changes: string;
  /** 1 if a change since the previous version weakens consent, else 0. */
  readonly weakens_consent: number;
  /** JSON: the warnings about the manifest. */
  readonly warnings: string;
  /** The newest version with breaking changes up to and including this one; 0 if there is none. */
  readonly breaking_version: number;
  readonly key_id: string;
  readonly created_at: string;
  /** 1 if the version was lost in a rollback and an operator restored it. */
  readonly is_given_back: number;
}

/** A run of an agent's consecutive versions that declare a scope, from `since` to `until`. */
export interface ScopeRow {
  readonly agent_id: string;
  readonly scope_id: string;
  readonly since: number;
  /** {@link PRESENT} while the newest version declares the scope. */
  readonly until: number;
}

/** The value of `until` in a {@link ScopeRow} that stands for the newest version. */
export const PRESENT: number = 2 ** 31 - 1;

/** The answer to a change that was sent with an `Idempotency-Key`; it is kept for a day. */
interface IdempotencyRow {
  /** The key with which the change was made. */
  readonly key_id: string;
  /** SHA-256 of the `Idempotency-Key`. */
  readonly name: string;
  /** SHA-256 of the method, path, preconditions and body. */
  readonly digest: string;
  readonly agent_id: string;
  readonly version: number;
  /** In milliseconds since 1970. */
  readonly created_at: number;
}

/** A key, without its secret. */
export interface KeyRow {
  readonly id: string;
  /** The agent that the key may change, or `*` for every agent. */
  readonly agent_id: string;
  /** SHA-256 of the token, 64 lowercase hex digits. */
  readonly token_hash: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** The time when the key began to wait for confirmation after a rollback. */
  readonly suspended_at: string | null;
  readonly last_used_at: string | null;
}

/** A checkpoint kept elsewhere whose records this database lacks, and whose loss an operator accepted. */
interface LostHeadRow {
  /** The agent's id; `*` for the registry's own chain. */
  readonly agent_id: string;
  readonly note: string;
  readonly size: number;
  readonly accepted_at: string;
}

/** A rollback that an operator accepted. */
interface RollbackRow {
  /** From 1, without gaps. */
  readonly position: number;
  readonly accepted_at: string;
  /** 1 while no one has declared which other agents existed. */
  readonly is_unsettled: number;
}

/** An agent's last version that a rollback left. */
interface KeptVersionRow {
  readonly rollback: number;
  readonly agent_id: string;
  readonly version: number;
}

/**
 * The version that an agent had reached before a rollback, as declared by an operator or reported by a client that
 * requests later events.
 */
interface ReachedRow {
  readonly agent_id: string;
  readonly version: number;
}

/** A signer key, and the note in which its predecessor signed it. */
export interface SuccessionRow {
  /** From 1, without gaps. */
  readonly position: number;
  readonly verifier_key: string;
  readonly note: string;
}

/** Records that the database was restored and that no registry has used it since. */
interface RestorationRow {
  readonly restored_at: string;
}

/** The webhooks that receive breaking changes over HTTP. */
export interface WebhookRow {
  readonly id: string;
  /** The agent whose changes are sent, or `*` for every agent. */
  readonly agent_id: string;
  readonly url: string;
  /** `whsec_…`; it is needed for signing, so it cannot be stored as a hash. */
  readonly secret: string;
  readonly created_at: string;
  readonly disabled_at: string | null;
}

/** A message that a webhook has not received yet. Delivered messages are deleted. */
export interface DeliveryRow {
  readonly webhook_id: string;
  readonly agent_id: string;
  readonly version: number;
  readonly attempts: number;
  /** The time when the next attempt is due, in milliseconds since 1970. */
  readonly due_at: number;
  /** The time when the version was accepted, in milliseconds since 1970. */
  readonly stored_at: number;
}

/** The database's tables for Kysely: the registry's own tables, and the trail's tables that it reads. */
export interface RegistryTables {
  agents: AgentRow;
  manifests: ManifestRow;
  versions: VersionRow;
  version_scopes: ScopeRow;
  idempotency_keys: IdempotencyRow;
  api_keys: KeyRow;
  webhooks: WebhookRow;
  webhook_deliveries: DeliveryRow;
  lost_heads: LostHeadRow;
  rollbacks: RollbackRow;
  kept_versions: KeptVersionRow;
  reached_versions: ReachedRow;
  claimed_versions: ReachedRow;
  signer_successions: SuccessionRow;
  restorations: RestorationRow;
  thoughts: StoredRecord;
  checkpoints: StoredCheckpoint;
}
