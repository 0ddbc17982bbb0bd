import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { RegistryTables } from "./schema.ts";
import { scopesMigration } from "./scopes-migration.ts";

const first: Migration = {
  async up(db): Promise<void> {
    await db.schema
      .createTable("agents")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("version", "integer", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("manifests")
      .addColumn("hash", "text", (column) => column.primaryKey())
      .addColumn("body", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("versions")
      .addColumn("agent_id", "text", (column) => column.notNull().references("agents.id"))
      .addColumn("version", "integer", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull().references("manifests.hash"))
      .addColumn("breaking_changes", "text", (column) => column.notNull())
      .addColumn("weakens_consent", "integer", (column) => column.notNull())
      .addColumn("warnings", "text", (column) => column.notNull())
      .addColumn("scopes", "text", (column) => column.notNull())
      .addColumn("key_id", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("versions_key", ["agent_id", "version"])
      .execute();
    await db.schema
      .createTable("api_keys")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("agent_id", "text", (column) => column.notNull())
      .addColumn("token_hash", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text")
      .addColumn("revoked_at", "text")
      .execute();
    await db.schema
      .createTable("webhooks")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("agent_id", "text", (column) => column.notNull())
      .addColumn("url", "text", (column) => column.notNull())
      .addColumn("secret", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("disabled_at", "text")
      .execute();
    await db.schema
      .createTable("webhook_deliveries")
      .addColumn("webhook_id", "text", (column) => column.notNull().references("webhooks.id"))
      .addColumn("agent_id", "text", (column) => column.notNull())
      .addColumn("version", "integer", (column) => column.notNull())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("due_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("webhook_deliveries_key", ["webhook_id", "agent_id", "version"])
      .execute();
    await db.schema.createIndex("webhook_deliveries_due").on("webhook_deliveries").column("due_at").execute();
  },
};

const idempotency: Migration = {
  async up(db): Promise<void> {
    await db.schema
      .createTable("idempotency_keys")
      .addColumn("key_id", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("digest", "text", (column) => column.notNull())
      .addColumn("agent_id", "text", (column) => column.notNull())
      .addColumn("version", "integer", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("idempotency_keys_key", ["key_id", "name"])
      .execute();
    await db.schema.createIndex("idempotency_keys_created").on("idempotency_keys").column("created_at").execute();
  },
};

/** Gives each webhook its own queue, and records how long its messages have been waiting. */
const queues: Migration = {
  async up(db): Promise<void> {
    await db.schema
      .alterTable("webhook_deliveries")
      .addColumn("stored_at", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update webhook_deliveries set stored_at = due_at`.execute(db);
    await db.schema.dropIndex("webhook_deliveries_due").execute();
    for (const column of ["due_at", "stored_at"]) {
      const index = db.schema.createIndex(`webhook_deliveries_${column}`).on("webhook_deliveries");
      await index.columns(["webhook_id", column]).execute();
    }
  },
};

/**
 * Allows keys to be suspended and stores their last use and a signer key's successor; records versions lost in a
 * rollback.
 */
const operation: Migration = {
  async up(db): Promise<void> {
    for (const column of ["suspended_at", "last_used_at"]) {
      await db.schema.alterTable("api_keys").addColumn(column, "text").execute();
    }
    await db.schema
      .alterTable("agents")
      .addColumn("lost_until", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable("lost_heads")
      .addColumn("agent_id", "text", (column) => column.notNull())
      .addColumn("note", "text", (column) => column.notNull())
      .addColumn("size", "integer", (column) => column.notNull())
      .addColumn("accepted_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("lost_heads_key", ["agent_id", "note"])
      .execute();
    await db.schema
      .createTable("signer_successions")
      .addColumn("position", "integer", (column) => column.primaryKey())
      .addColumn("verifier_key", "text", (column) => column.notNull())
      .addColumn("note", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("restorations")
      .addColumn("restored_at", "text", (column) => column.primaryKey())
      .execute();
  },
};

/**
 * Records the rows that a rollback left, the last version of each agent before it, and for each version whether it was
 * restored.
 */
const rollbacks: Migration = {
  async up(db): Promise<void> {
    for (const column of ["reached", "is_unsettled"]) {
      await db.schema
        .alterTable("agents")
        .addColumn(column, "integer", (added) => added.notNull().defaultTo(0))
        .execute();
    }
    await db.schema
      .alterTable("versions")
      .addColumn("is_given_back", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`create index versions_weakened on versions (agent_id, version) where weakens_consent = 1`.execute(db);
    await db.schema
      .createTable("rollbacks")
      .addColumn("position", "integer", (column) => column.primaryKey())
      .addColumn("accepted_at", "text", (column) => column.notNull())
      .addColumn("is_unsettled", "integer", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("kept_versions")
      .addColumn("rollback", "integer", (column) => column.notNull().references("rollbacks.position"))
      .addColumn("agent_id", "text", (column) => column.notNull())
      .addColumn("version", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("kept_versions_key", ["agent_id", "rollback"])
      .execute();
    for (const table of ["reached_versions", "claimed_versions"]) {
      await db.schema
        .createTable(table)
        .addColumn("agent_id", "text", (column) => column.primaryKey())
        .addColumn("version", "integer", (column) => column.notNull())
        .execute();
    }
  },
};

/** All changes to the tables, in order; a new change is added at the end. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "001_registry": first,
  "002_scopes": scopesMigration,
  "003_idempotency": idempotency,
  "004_webhook_queues": queues,
  "005_operation": operation,
  "006_rollbacks": rollbacks,
};

function migratorOf(db: Kysely<RegistryTables>): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableName: "registry_migration",
    migrationLockTableName: "registry_migration_lock",
  });
}

/**
 * Creates the registry's tables or upgrades an older version's tables; returns the names of the migrations that ran.
 */
export async function migrate(db: Kysely<RegistryTables>): Promise<string[]> {
  const { error, results = [] } = await migratorOf(db).migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** Returns whether the database has every table of this registry version. */
export async function isMigrated(db: Kysely<RegistryTables>): Promise<boolean> {
  const migrations = await migratorOf(db).getMigrations();
  return migrations.every(({ executedAt }) => executedAt !== undefined);
}
