import { type Kysely, sql, type Transaction } from "kysely";
import { TrailStoreError } from "../errors.ts";
import type { Partition } from "../store-options.ts";
import { lockRecords } from "./postgres-drop.ts";
import { compareGuards, createThoughtGuards, refuseChanges } from "./postgres-guards.ts";
import { createPartitionedTables } from "./postgres-partitions.ts";
import { IN_CHAIN } from "./postgres-rows.ts";
import type { TrailDatabase } from "./schema.ts";

/** The partition for the records that were stored before the tables were partitioned. */
const FIRST_PARTITION = "thoughts_before_partitions";

/**
 * Makes the table of records the first partition of a partitioned table, in one transaction and without writing or
 * hashing any row again. Readers and writers wait meanwhile.
 *
 * @returns the partition; `undefined` if the tables are already partitioned
 * @throws {@link TrailStoreError} `not-a-trail-store` when the tables are not as the store created them.
 */
export async function repartition(db: Transaction<TrailDatabase>): Promise<Partition | undefined> {
  await lockRecords(db, "access exclusive");
  if (await isPartitioned(db)) return undefined;
  // A superuser would own the tables that it creates, and the trigger has its owner's rights.
  await sql`select set_config('role', pg_get_userbyid(relowner), true) from pg_class where oid = to_regclass('thoughts')`.execute(
    db,
  );
  await checkTables(db);
  const grants = await readGrants(db);
  await freeNames(db);
  await createPartitionedTables(db);
  const partition = await attachRecords(db);
  await sql`insert into heads select distinct on (task_id) task_id, position, hash, stored_at
    from ${sql.table(FIRST_PARTITION)} where ${IN_CHAIN} order by task_id, position desc`.execute(db);
  await refuseChanges(db, ["thoughts"]);
  await createThoughtGuards(db, true);
  for (const grant of grants) await sql.raw(grant).execute(db);
  return partition;
}

/** Returns whether the table of records is partitioned. */
export async function isPartitioned(db: Kysely<TrailDatabase>): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select exists (
    select from pg_partitioned_table where partrelid = to_regclass('thoughts')) as is`.execute(db);
  return rows[0]?.is === true;
}

/** Refuses tables with a foreign view, foreign key or trigger, which would stay with the old table. */
async function checkTables(db: Transaction<TrailDatabase>): Promise<void> {
  const [problem] = await compareGuards(db, false);
  const { rows } = await sql<{ other: string | null }>`select coalesce(
    (select 'no trigger thoughts_behind_head' where not exists (
      select from pg_trigger where tgrelid = to_regclass('thoughts') and tgname = 'thoughts_behind_head')),
    (select 'the view ' || (ev_class::regclass)::text from pg_depend join pg_rewrite on pg_rewrite.oid = objid
      where classid = 'pg_rewrite'::regclass and refobjid = to_regclass('thoughts') and ev_class <> refobjid limit 1),
    (select 'the foreign key ' || conname from pg_constraint where contype = 'f'
      and to_regclass('thoughts') in (conrelid, confrelid) limit 1),
    (select 'the table ' || name from unnest(array[${FIRST_PARTITION}, 'thoughts_default', 'heads']) as name
      where to_regclass(name) is not null limit 1)) as other`.execute(db);
  const found = problem?.message ?? rows[0]?.other;
  if (!found) return;
  const message = `expected tables as the store created them, received others (${found}): correct or remove these first`;
  throw new TrailStoreError("not-a-trail-store", message);
}

/** Returns the statements that give roles the rights on the new tables that they have on the old table. */
async function readGrants(db: Kysely<TrailDatabase>): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    select format('grant %s on %s to %s', privilege_type, name, case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end)
      as statement
    from pg_class, aclexplode(relacl), unnest(array['thoughts', 'heads']) as name
    where pg_class.oid = to_regclass('thoughts') and grantee <> relowner
      and (privilege_type = 'SELECT' or privilege_type = 'INSERT' and name = 'thoughts')`.execute(db);
  return rows.map(({ statement }) => statement);
}

/** Frees the names of the old table and of its keys and triggers. The new table's keys include the time. */
async function freeNames(db: Kysely<TrailDatabase>): Promise<void> {
  await sql`drop trigger thoughts_append_only on thoughts`.execute(db);
  await sql`drop trigger thoughts_behind_head on thoughts`.execute(db);
  await sql`drop function trail_behind_head()`.execute(db);
  for (const key of ["thoughts_position", "thoughts_id", "thoughts_no_fork"]) {
    await sql`alter table thoughts drop constraint ${sql.ref(key)}`.execute(db);
  }
  await sql`alter table thoughts rename to ${sql.ref(FIRST_PARTITION)}`.execute(db);
}

/**
 * Attaches all records as one partition. The records count as stored now: a column with a constant default is added
 * without writing any row.
 */
async function attachRecords(db: Kysely<TrailDatabase>): Promise<Partition> {
  const { rows } = await sql<{ now: string; to: string }>`select to_json(now) #>> '{}' as now,
    to_json(now + interval '1 millisecond') #>> '{}' as "to" from date_trunc('milliseconds', clock_timestamp()) as now`.execute(
    db,
  );
  const { now, to } = rows[0] as { now: string; to: string };
  const table = sql.table(FIRST_PARTITION);
  await sql`alter table ${table} add column stored_at timestamptz not null default ${sql.lit(now)}`.execute(db);
  await sql`alter table ${table} alter column stored_at drop default`.execute(db);
  await sql`alter table thoughts attach partition ${table} for values from (minvalue) to (${sql.lit(to)})`.execute(db);
  const counts = await sql<{ records: number }>`select count(*) as records from ${table}`.execute(db);
  return { name: FIRST_PARTITION, from: null, to, records: Number(counts.rows[0]?.records) };
}
