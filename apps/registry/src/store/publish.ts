import {
  type CapabilityManifest,
  canonicalizeManifest,
  diffManifests,
  hashManifest,
  type ManifestDiff,
  type ManifestWarning,
} from "@agentprint/manifest";
import type { TrailTransaction } from "@agentprint/trail-store";
import { type Kysely, sql } from "kysely";
import { RegistryError } from "../errors.ts";
import { CHANNEL } from "../events/notifier.ts";
import { changeRecord, weakensConsent } from "../trail/change-record.ts";
import type { ManifestCache } from "./manifest-cache.ts";
import type { RegistryStore } from "./open-store.ts";
import type { RegistryTables } from "./schema.ts";

/** A manifest that is to be the next version of an agent. */
export interface Submission {
  readonly agentId: string;
  readonly keyId: string;
  readonly manifest: CapabilityManifest;
  readonly warnings: readonly ManifestWarning[];
  /** Refuses the present version of the agent by throwing; by default every version is accepted. */
  readonly checkPresent?: (present: { readonly version: number; readonly hash: string }) => void;
}

/** A version that was accepted, or would be. */
export interface Publication {
  readonly agentId: string;
  readonly version: number;
  readonly hash: string;
  readonly diff: ManifestDiff;
  readonly warnings: readonly ManifestWarning[];
  /** The version before. */
  readonly previous?: { readonly hash: string; readonly manifest: CapabilityManifest };
}

const NO_CHANGES: ManifestDiff = { breaking: [], nonBreaking: [], unclassified: [] };

/** What publishing needs. */
export interface Publishing {
  readonly store: RegistryStore;
  readonly manifests: ManifestCache;
  readonly now: () => Date;
}

/**
 * Accepts the next version of an agent. Its rows, the record in the trail and the messages to webhooks are stored in one
 * transaction.
 *
 * @throws {@link RegistryError} `AGENT_NOT_FOUND`, and what `checkPresent` throws; then no version is consumed.
 */
export async function publishVersion(publishing: Publishing, submission: Submission): Promise<Publication> {
  const at = publishing.now();
  return publishing.store.trail.transact(async (transaction: TrailTransaction<RegistryTables>) => {
    const publication = await nextPublication(publishing, submission, transaction.db, true);
    await transaction.db
      .updateTable("agents")
      .set({ version: publication.version, hash: publication.hash, updated_at: at.toISOString() })
      .where("id", "=", submission.agentId)
      .execute();
    await storeVersion(publishing.store, submission, publication, at, transaction);
    return publication;
  });
}

/**
 * Adds an agent with version 1.
 *
 * @throws {@link RegistryError} `AGENT_EXISTS`.
 */
export async function createAgent(publishing: Publishing, submission: Submission): Promise<Publication> {
  const { agentId, manifest, warnings } = submission;
  const publication = { agentId, version: 1, hash: hashManifest(manifest), diff: NO_CHANGES, warnings };
  const at = publishing.now();
  const now = at.toISOString();
  return publishing.store.trail.transact(async (transaction: TrailTransaction<RegistryTables>) => {
    const { numInsertedOrUpdatedRows } = await transaction.db
      .insertInto("agents")
      .values({ id: agentId, version: 1, hash: publication.hash, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) {
      throw new RegistryError("AGENT_EXISTS", `there is an agent ${JSON.stringify(agentId)} already`);
    }
    await storeVersion(publishing.store, submission, publication, at, transaction);
    return publication;
  });
}

/** What {@link publishVersion} would answer; nothing is stored. */
export async function previewVersion(publishing: Publishing, submission: Submission): Promise<Publication> {
  return nextPublication(publishing, submission, publishing.store.db, false);
}

async function nextPublication(
  { store, manifests }: Publishing,
  { agentId, manifest, warnings, checkPresent }: Submission,
  db: Kysely<RegistryTables>,
  lock: boolean,
): Promise<Publication> {
  const present = await db
    .selectFrom("agents")
    .innerJoin("manifests", "manifests.hash", "agents.hash")
    .select(["agents.version", "agents.hash", "manifests.body"])
    .where("agents.id", "=", agentId)
    .$if(lock && store.dialect === "postgres", (query) => query.forUpdate("agents"))
    .executeTakeFirst();
  if (!present) throw new RegistryError("AGENT_NOT_FOUND", `there is no agent ${JSON.stringify(agentId)}`);
  checkPresent?.(present);
  const previous = { hash: present.hash, manifest: manifests.read(present) };
  const diff = diffManifests(previous.manifest, manifest);
  return { agentId, version: present.version + 1, hash: hashManifest(manifest), diff, warnings, previous };
}

async function storeVersion(
  { dialect }: RegistryStore,
  { agentId, keyId, manifest, warnings }: Submission,
  { version, hash, diff }: Publication,
  at: Date,
  { db, append }: TrailTransaction<RegistryTables>,
): Promise<void> {
  await db
    .insertInto("manifests")
    .values({ hash, body: canonicalizeManifest(manifest) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto("versions")
    .values({
      agent_id: agentId,
      version,
      hash,
      breaking_changes: JSON.stringify(diff.breaking),
      weakens_consent: weakensConsent(diff) ? 1 : 0,
      warnings: JSON.stringify(warnings),
      scopes: JSON.stringify(manifest.permission_scopes.map(({ id }) => id)),
      key_id: keyId,
      created_at: at.toISOString(),
    })
    .execute();
  await append({ ...changeRecord({ agentId, version, hash, keyId, diff }), timestamp: at.toISOString() });
  if (diff.breaking.length > 0) await addDeliveries(db, agentId, version, at.getTime());
  if (dialect === "postgres") await sql`select pg_notify(${CHANNEL}, ${agentId})`.execute(db);
}

async function addDeliveries(db: Kysely<RegistryTables>, agentId: string, version: number, now: number): Promise<void> {
  await db
    .insertInto("webhook_deliveries")
    .columns(["webhook_id", "agent_id", "version", "attempts", "due_at"])
    .expression(
      db
        .selectFrom("webhooks")
        .select((eb) => [
          "id",
          eb.cast<string>(eb.val(agentId), "text").as("agent_id"),
          eb.cast<number>(eb.val(version), "integer").as("version"),
          eb.lit(0).as("attempts"),
          eb.cast<number>(eb.val(now), "bigint").as("due_at"),
        ])
        .where("agent_id", "in", [agentId, "*"])
        .where("disabled_at", "is", null),
    )
    .execute();
}
