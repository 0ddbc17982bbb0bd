import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { RegistryTables } from "./schema.ts";

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

const MIGRATIONS: Readonly<Record<string, Migration>> = { "001_registry": first };

function migratorOf(db: Kysely<RegistryTables>): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableName: "registry_migration",
    migrationLockTableName: "registry_migration_lock",
  });
}

/** Creates the tables of the registry, or brings those of an older version up to date; returns the names of what was run. */
export async function migrate(db: Kysely<RegistryTables>): Promise<string[]> {
  const { error, results = [] } = await migratorOf(db).migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** Whether the database has every table of this version of the registry. */
export async function isMigrated(db: Kysely<RegistryTables>): Promise<boolean> {
  const migrations = await migratorOf(db).getMigrations();
  return migrations.every(({ executedAt }) => executedAt !== undefined);
}
