import type { StoredCheckpoint, StoredRecord } from "./trail-tables.ts";

/** The present version of an agent. */
export interface AgentRow {
  readonly id: string;
  readonly version: number;
  readonly hash: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The canonical JSON of a manifest; versions with the same hash share it. */
export interface ManifestRow {
  readonly hash: string;
  readonly body: string;
}

/** One accepted version of an agent's manifest. */
export interface VersionRow {
  readonly agent_id: string;
  readonly version: number;
  readonly hash: string;
  /** JSON: the breaking changes since the version before. */
  readonly breaking_changes: string;
  /** 1 if a change since the version before weakens consent, else 0. */
  readonly weakens_consent: number;
  /** JSON: the warnings about the manifest. */
  readonly warnings: string;
  /** JSON: the ids of the scopes of the manifest. */
  readonly scopes: string;
  readonly key_id: string;
  readonly created_at: string;
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
}

/** Who is told of breaking changes over HTTP. */
export interface WebhookRow {
  readonly id: string;
  /** The agent whose changes are told, or `*` for every agent. */
  readonly agent_id: string;
  readonly url: string;
  /** `whsec_…`; it signs, so that it cannot be kept as a hash. */
  readonly secret: string;
  readonly created_at: string;
  readonly disabled_at: string | null;
}

/** A message that a webhook has not received yet. Messages that were delivered are deleted. */
export interface DeliveryRow {
  readonly webhook_id: string;
  readonly agent_id: string;
  readonly version: number;
  readonly attempts: number;
  /** When the next attempt is due, in milliseconds since 1970. */
  readonly due_at: number;
}

/** The tables of the database for Kysely: those of the registry, and those of the trail that it reads. */
export interface RegistryTables {
  agents: AgentRow;
  manifests: ManifestRow;
  versions: VersionRow;
  api_keys: KeyRow;
  webhooks: WebhookRow;
  webhook_deliveries: DeliveryRow;
  thoughts: StoredRecord;
  checkpoints: StoredCheckpoint;
}
