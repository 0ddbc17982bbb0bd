import { ZERO_HASH } from "@agentprint/trail/record";
import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { TrailStoreError } from "../errors.ts";
import { createAppendOnlyTriggers, createRowGuards, ROW_GUARDS } from "./postgres-guards.ts";
import { createPartitionedTables } from "./postgres-partitions.ts";
import { REFUSAL } from "./refusal.ts";
import type { TrailDatabase } from "./schema.ts";

async function createThoughts(db: Pick<Kysely<unknown>, "schema">): Promise<void> {
  await db.schema
    .createTable("thoughts")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("agent_id", "text", (column) => column.notNull())
    .addColumn("content", "text", (column) => column.notNull())
    .addColumn("timestamp", "text", (column) => column.notNull())
    .addColumn("prev_hash", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("thoughts_position", ["task_id", "position"])
    .addUniqueConstraint("thoughts_id", ["id", "task_id"])
    .addUniqueConstraint("thoughts_no_fork", ["task_id", "prev_hash"])
    .addCheckConstraint("thoughts_genesis", sql`(position = 0) = (prev_hash = ${sql.lit(ZERO_HASH)})`)
    .execute();
}

async function createCheckpoints(db: Pick<Kysely<unknown>, "schema">): Promise<void> {
  await db.schema
    .createTable("checkpoints")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("size", "bigint", (column) => column.notNull())
    .addColumn("note", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("checkpoints_note", ["task_id", "size", "note"])
    .execute();
}

/**
 * INSERT OR REPLACE deletes the row with which it collides, and fires no DELETE trigger. Therefore a trigger refuses
 * every INSERT whose key or rowid is in use. In a BEFORE INSERT trigger, a rowid that was not given reads as -1, so an
 * AFTER INSERT trigger refuses rows with a negative rowid, which the first trigger could not compare.
 */
const sqliteMigration: Migration = {
  async up(db): Promise<void> {
    await createThoughts(db);
    await createCheckpoints(db);
    const refuse = sql`begin select raise(abort, ${sql.lit(REFUSAL)}); end`;
    for (const table of ["thoughts", "checkpoints"]) {
      for (const event of ["update", "delete"]) {
        const name = sql.ref(`${table}_no_${event}`);
        await sql`create trigger ${name} before ${sql.raw(event)} on ${sql.table(table)} ${refuse}`.execute(db);
      }
      const name = sql.ref(`${table}_rowid`);
      await sql`create trigger ${name} after insert on ${sql.table(table)} when new.rowid < 0 ${refuse}`.execute(db);
    }
    await sql`create trigger thoughts_behind_head before insert on thoughts
      when exists (select 1 from thoughts where rowid = new.rowid)
        or exists (select 1 from thoughts where id = new.id and task_id = new.task_id)
        or exists (select 1 from thoughts where task_id = new.task_id and prev_hash = new.prev_hash)
        or new.position <> coalesce((select max(position) + 1 from thoughts where task_id = new.task_id), 0)
        or new.prev_hash <> coalesce(
          (select hash from thoughts where task_id = new.task_id order by position desc limit 1), ${sql.lit(ZERO_HASH)})
      ${refuse}`.execute(db);
    await sql`create trigger checkpoints_new before insert on checkpoints
      when exists (select 1 from checkpoints where rowid = new.rowid)
        or exists (select 1 from checkpoints where task_id = new.task_id and size = new.size and note = new.note)
      ${refuse}`.execute(db);
  },
};

/**
 * Returns the migrations for a PostgreSQL store; whether it is partitioned is decided only once, when it is created.
 */
const postgresMigrations = (partitioned: boolean): Record<string, Migration> => ({
  "001_trail": {
    up: async (db): Promise<void> => {
      await (partitioned ? createPartitionedTables : createThoughts)(db);
      await createCheckpoints(db);
      await createAppendOnlyTriggers(db);
    },
  },
  [ROW_GUARDS]: { up: (db) => createRowGuards(db, partitioned) },
});

/**
 * Creates the tables, or migrates an older version's tables.
 *
 * @throws {@link TrailStoreError} `not-a-trail-store` when a newer version of this package made the tables.
 * @throws the database's error. Another process may be migrating the tables at the same time; then a second attempt
 * succeeds.
 */
export async function migrate(
  db: Kysely<TrailDatabase>,
  form: "sqlite" | "postgres" | "postgres partitioned",
): Promise<void> {
  const migrations: Record<string, Migration> =
    form === "sqlite" ? { "001_trail": sqliteMigration } : postgresMigrations(form === "postgres partitioned");
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // For SQLite, the caller begins a transaction that waits for other writers.
    disableTransactions: form === "sqlite",
    migrationTableName: "trail_migration",
    migrationLockTableName: "trail_migration_lock",
  });
  const { error } = await migrator.migrateToLatest();
  // The library indicates unknown migrations in no other way.
  if (error instanceof Error && error.message.startsWith("corrupted migrations")) {
    const newest = Object.keys(migrations).at(-1);
    const message = `expected a store with the migrations up to ${newest}, received one that a newer version of this package made: open it with that version, or a newer one`;
    throw new TrailStoreError("not-a-trail-store", message, { cause: error });
  }
  if (error !== undefined) throw error;
}
