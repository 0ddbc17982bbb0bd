import { ZERO_HASH } from "@agentprint/trail/record";
import { type QueryExecutorProvider, sql } from "kysely";
import { type Guard, REFUSAL, REFUSED, REFUSING } from "./refusal.ts";

/**
 * Returns the body of the trigger that makes the rows of a statement follow the heads of their tasks. A unique key of a
 * partitioned table must include the time of storing, so no key can refuse a fork; instead, the trigger locks and
 * updates the task's row in `heads`, which is not partitioned. The trigger also refuses a time earlier than the
 * previous record's, because dropped partitions must hold the start of each chain, and a time in the future. The
 * trigger has its owner's rights, so that no writer needs the right to change `heads`; it changes no other table.
 */
const behindHead = (schema: string): string => `declare
  span record;
  head record;
begin
  if tg_relid <> '${schema}.thoughts'::regclass or exists (
    select from (
      select position, prev_hash, stored_at, lag(position) over chain as before, lag(hash) over chain as link,
        lag(stored_at) over chain as moment from added window chain as (partition by task_id order by position)
    ) as one
    where before is not null and (position = before + 1 and prev_hash = link and stored_at = moment) is not true
  ) then raise exception '${REFUSAL}' using errcode = '${REFUSED}'; end if;
  for span in
    select distinct on (task_id) task_id, position as start, prev_hash, stored_at,
      last_value(position) over chain as position, last_value(hash) over chain as hash
    from added window chain as (partition by task_id order by position rows between unbounded preceding and unbounded following)
    order by task_id, start
  loop
    select * into head from ${schema}.heads where task_id = span.task_id for update;
    if head.position >= span.start then
      raise unique_violation using message = '${REFUSAL}';
    end if;
    if (
      span.start = coalesce(head.position, -1) + 1 and span.prev_hash = coalesce(head.hash, '${ZERO_HASH}') and
      span.stored_at between coalesce(head.stored_at, '-infinity') and greatest(clock_timestamp(), head.stored_at)
    ) is not true then raise exception '${REFUSAL}' using errcode = '${REFUSED}'; end if;
    insert into ${schema}.heads as kept (task_id, position, hash, stored_at)
      values (span.task_id, span.position, span.hash, span.stored_at)
      on conflict (task_id) do update set position = excluded.position, hash = excluded.hash, stored_at = excluded.stored_at
      where kept.position = head.position;
    if not found then raise unique_violation using message = '${REFUSAL}'; end if;
  end loop;
  if exists (
    select from added where (
      select count(*) from (
        select from ${schema}.thoughts as other where other.id = added.id and other.task_id = added.task_id limit 2
      ) as same
    ) > 1
  ) then raise unique_violation using message = '${REFUSAL}'; end if;
  return null;
end`;

/** The trigger's settings, without which a plan made while the tables were empty would read all of their rows. */
const SETTINGS = '{"search_path=pg_catalog, pg_temp",enable_seqscan=off}';

/** Creates the table of records, partitioned by the time of storing, and the table of tasks' heads. */
export async function createPartitionedTables(db: QueryExecutorProvider): Promise<void> {
  await sql`create table thoughts (
    task_id text not null, position bigint not null, id text not null, type text not null, agent_id text not null,
    content text not null, timestamp text not null, prev_hash text not null, hash text not null,
    stored_at timestamptz not null,
    constraint thoughts_position primary key (task_id, position, stored_at),
    constraint thoughts_id unique (id, task_id, stored_at),
    constraint thoughts_genesis check ((position = 0) = (prev_hash = ${sql.lit(ZERO_HASH)}))
  ) partition by range (stored_at)`.execute(db);
  // The partition for records from times that no other partition covers.
  await sql`create table thoughts_default partition of thoughts default`.execute(db);
  // There is room left in each page, so that a changed row stays in its page and no index changes.
  await sql`create table heads (task_id text not null, position bigint not null, hash text not null,
    stored_at timestamptz not null, constraint heads_task_id primary key (task_id)) with (fillfactor = 50)`.execute(db);
}

/** Requires rows to follow the heads of their tasks, and refuses changes to single partitions. */
export async function createPartitionGuards(db: QueryExecutorProvider, schema: string): Promise<void> {
  await sql`create function trail_behind_head() returns trigger language plpgsql security definer
    set search_path = pg_catalog, pg_temp set enable_seqscan = off as ${sql.lit(behindHead(schema))}`.execute(db);
  await sql`create trigger thoughts_partition_append_only before update or delete on thoughts
    for each row execute function trail_refuse()`.execute(db);
  await sql`create trigger heads_kept before delete or truncate on heads
    for each statement execute function trail_refuse()`.execute(db);
}

/** Returns the guards that only partitioned tables have, or have in a different form. */
export const partitionGuards = (schema: string): readonly Guard[] => [
  { name: "trigger thoughts.thoughts_behind_head", definition: `4 O ${behindHead(schema)}${SETTINGS} definer` },
  { name: "trigger thoughts.thoughts_partition_append_only", definition: `27 O ${REFUSING}` },
  { name: "trigger heads.heads_kept", definition: `42 O ${REFUSING}` },
  { name: "constraint thoughts.thoughts_position", definition: "PRIMARY KEY (task_id, position, stored_at)" },
  { name: "constraint thoughts.thoughts_id", definition: "UNIQUE (id, task_id, stored_at)" },
  { name: "constraint heads.heads_task_id", definition: "PRIMARY KEY (task_id)" },
];
