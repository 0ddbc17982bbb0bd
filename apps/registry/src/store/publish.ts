import {
  type CapabilityManifest,
  canonicalizeManifest,
  diffManifests,
  hashManifest,
  type ManifestDiff,
} from "@agentprint/manifest";
import type { TrailTransaction } from "@agentprint/trail-store";
import { type Kysely, sql } from "kysely";
import { RegistryError } from "../errors.ts";
import { CHANNEL } from "../events/notifier.ts";
import { changeRecord, weakensConsent } from "../trail/change-record.ts";
import { findRepeated, storeIdempotency } from "./idempotency.ts";
import type { ManifestCache } from "./manifest-cache.ts";
import type { RegistryStore } from "./open-store.ts";
import type { Publication, Submission } from "./publication.ts";
import type { AgentRow, ManifestRow, RegistryTables } from "./schema.ts";
import { compareScopes, storeScopes } from "./scope-runs.ts";

type Present = Pick<AgentRow, "version" | "hash" | "lost_until" | "reached" | "is_unsettled">;

const NO_CHANGES: ManifestDiff = { breaking: [], nonBreaking: [], unclassified: [] };

/** The services that publishing needs. */
export interface Publishing {
  readonly store: RegistryStore;
  readonly manifests: ManifestCache;
  readonly now: () => Date;
  /**
   * Called before the first statement; throws to refuse the change, because the client may have stopped waiting by
   * then.
   */
  readonly checkStart?: () => void;
}

/**
 * Accepts the next version of an agent. The version's rows, its trail record and the messages to webhooks are stored in
 * one transaction.
 *
 * @throws {@link RegistryError} `AGENT_NOT_FOUND`, `VERSIONS_LOST`, `VERSIONS_UNKNOWN`, and the errors from
 * `checkPresent`; in these cases no version number is used up.
 */
export async function publishVersion(publishing: Publishing, submission: Submission): Promise<Publication> {
  const at = publishing.now();
  return publishing.store.trail.transact(async (transaction: TrailTransaction<RegistryTables>) => {
    publishing.checkStart?.();
    const present = await lockAgent(publishing, submission.agentId, transaction.db);
    const known = await findRepeated(transaction.db, submission, at);
    if (known) return known;
    const publication = await nextPublication(publishing, submission, transaction.db, present);
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
 * Adds an agent with version 1, or with the number after the numbers lost in a rollback.
 *
 * @throws {@link RegistryError} `AGENT_EXISTS`, `VERSIONS_LOST`, `VERSIONS_UNKNOWN`.
 */
export async function createAgent(publishing: Publishing, submission: Submission): Promise<Publication> {
  const { agentId, manifest, warnings } = submission;
  const hash = hashManifest(manifest);
  const at = publishing.now();
  const now = at.toISOString();
  return publishing.store.trail.transact(async (transaction: TrailTransaction<RegistryTables>) => {
    publishing.checkStart?.();
    const known = await findRepeated(transaction.db, submission, at);
    if (known) return known;
    const before = await lostVersionsOf(transaction.db, agentId);
    const exists = await transaction.db.selectFrom("agents").select("id").where("id", "=", agentId).executeTakeFirst();
    if (!exists) checkLost(submission, { version: 0, ...before });
    const version = before.reached + 1;
    const publication = { agentId, version, hash, diff: NO_CHANGES, warnings };
    const { numInsertedOrUpdatedRows } = await transaction.db
      .insertInto("agents")
      .values({
        id: agentId,
        version,
        hash,
        created_at: now,
        updated_at: now,
        ...before,
        is_unsettled: submission.isGivenBack ? before.is_unsettled : 0,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) {
      throw new RegistryError("AGENT_EXISTS", `there is already an agent ${JSON.stringify(agentId)}`);
    }
    await storeVersion(publishing.store, submission, publication, at, transaction);
    return publication;
  });
}

/** Returns the result that {@link publishVersion} would return, but stores nothing. */
export async function previewVersion(publishing: Publishing, submission: Submission): Promise<Publication> {
  const { db } = publishing.store;
  return nextPublication(publishing, submission, db, await presentOf(db, submission.agentId));
}

/** Returns an agent's current version, which no other transaction can change until this one ends. */
async function lockAgent({ store }: Publishing, agentId: string, db: Kysely<RegistryTables>): Promise<Present> {
  return presentOf(db, agentId, store.dialect === "postgres");
}

async function presentOf(db: Kysely<RegistryTables>, agentId: string, lock = false): Promise<Present> {
  const present = await db
    .selectFrom("agents")
    .select(["version", "hash", "lost_until", "reached", "is_unsettled"])
    .where("id", "=", agentId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  if (present) return present;
  throw new RegistryError("AGENT_NOT_FOUND", `there is no agent ${JSON.stringify(agentId)}`);
}

async function nextPublication(
  { manifests }: Publishing,
  submission: Submission,
  db: Kysely<RegistryTables>,
  present: Present,
): Promise<Publication> {
  const { agentId, manifest, warnings, checkPresent } = submission;
  checkPresent?.(present);
  checkLost(submission, present);
  const { version, hash, reached } = present;
  // A separate statement reads the manifest, because a statement that waits for the lock sees the data from before the
  // wait.
  const stored = (): Promise<ManifestRow> =>
    db.selectFrom("manifests").selectAll().where("hash", "=", hash).executeTakeFirstOrThrow();
  const previous = { version, hash, manifest: manifests.get(hash) ?? manifests.read(await stored()) };
  const diff = diffManifests(previous.manifest, manifest);
  return { agentId, version: Math.max(version, reached) + 1, hash: hashManifest(manifest), diff, warnings, previous };
}

async function storeVersion(
  { dialect }: RegistryStore,
  submission: Submission,
  { version, hash, diff, previous }: Publication,
  at: Date,
  { db, append }: TrailTransaction<RegistryTables>,
): Promise<void> {
  const { agentId, keyId, manifest, warnings, isGivenBack } = submission;
  const isBreaking = diff.breaking.length > 0;
  await db
    .insertInto("manifests")
    .values({ hash, body: canonicalizeManifest(manifest) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto("versions")
    .values((eb) => ({
      agent_id: agentId,
      version,
      hash,
      breaking_changes: JSON.stringify(diff.breaking),
      weakens_consent: weakensConsent(diff) ? 1 : 0,
      warnings: JSON.stringify(warnings),
      breaking_version: isBreaking
        ? version
        : eb.fn.coalesce(
            eb
              .selectFrom("versions")
              .select("breaking_version")
              .where("agent_id", "=", agentId)
              .where("version", "=", previous?.version ?? 0),
            eb.lit(0),
          ),
      key_id: keyId,
      created_at: at.toISOString(),
      is_given_back: isGivenBack ? 1 : 0,
    }))
    .execute();
  await storeScopes(db, agentId, version, compareScopes(scopesOf(previous?.manifest), scopesOf(manifest)));
  await append({ ...changeRecord({ agentId, version, hash, keyId, diff, isGivenBack }), timestamp: at.toISOString() });
  await storeIdempotency(db, submission, version, at);
  if (isBreaking) await addDeliveries(db, agentId, version, at.getTime());
  if (dialect === "postgres") await sql`select pg_notify(${CHANNEL}, ${agentId})`.execute(db);
}

/**
 * Returns the version numbers, as far as they are known, that an agent missing from the database had before a rollback.
 */
async function lostVersionsOf(
  db: Kysely<RegistryTables>,
  agentId: string,
): Promise<Pick<AgentRow, "lost_until" | "reached" | "is_unsettled">> {
  const { size } = await db
    .selectFrom("lost_heads")
    .select((eb) => eb.fn.max("size").as("size"))
    .where("agent_id", "=", agentId)
    .executeTakeFirstOrThrow();
  const said = await db
    .selectFrom("reached_versions")
    .select("version")
    .where("agent_id", "=", agentId)
    .executeTakeFirst();
  if (said) return { lost_until: 0, reached: said.version, is_unsettled: 0 };
  const unsettled = await db
    .selectFrom("rollbacks")
    .select("position")
    .where("is_unsettled", "=", 1)
    .limit(1)
    .executeTakeFirst();
  return { lost_until: Number(size ?? 0), reached: 0, is_unsettled: unsettled ? 1 : 0 };
}

/**
 * Checks that a new version may be stored.
 *
 * @throws {@link RegistryError} `VERSIONS_LOST` when the next version existed with other content before a rollback,
 * `VERSIONS_UNKNOWN` when no one has declared whether it existed.
 */
function checkLost({ agentId, isGivenBack = false }: Submission, present: Omit<Present, "hash">): void {
  const { version, lost_until: lostUntil, is_unsettled } = present;
  const isLost = version < lostUntil;
  if (isLost && !isGivenBack) {
    const fix = "restore them with agentprint-registry versions give-back, or give them up with versions reached";
    const message = `versions ${version + 1} to ${lostUntil} of ${agentId} were lost: ${fix}`;
    throw new RegistryError("VERSIONS_LOST", message);
  }
  if (is_unsettled === 1 && !isGivenBack) {
    const fix = `agentprint-registry versions reached ${agentId} <version>`;
    const message = `nobody has declared which version ${agentId} had reached before the rollback: ${fix}`;
    throw new RegistryError("VERSIONS_UNKNOWN", message);
  }
  if (isGivenBack && !isLost && is_unsettled === 0) {
    throw new RegistryError("VERSIONS_LOST", `no version of ${agentId} is lost`);
  }
}

function scopesOf(manifest: CapabilityManifest | undefined): string[] {
  return manifest?.permission_scopes.map(({ id }) => id) ?? [];
}

async function addDeliveries(db: Kysely<RegistryTables>, agentId: string, version: number, now: number): Promise<void> {
  await db
    .insertInto("webhook_deliveries")
    .columns(["webhook_id", "agent_id", "version", "attempts", "due_at", "stored_at"])
    .expression(
      db
        .selectFrom("webhooks")
        .select((eb) => [
          "id",
          eb.cast<string>(eb.val(agentId), "text").as("agent_id"),
          eb.cast<number>(eb.val(version), "integer").as("version"),
          eb.lit(0).as("attempts"),
          eb.cast<number>(eb.val(now), "bigint").as("due_at"),
          eb.cast<number>(eb.val(now), "bigint").as("stored_at"),
        ])
        .where("agent_id", "in", [agentId, "*"])
        .where("disabled_at", "is", null),
    )
    .execute();
}
