import { ZERO_HASH } from "@agentprint/trail/record";
import { type QueryExecutorProvider, sql, type Transaction } from "kysely";
import { changedGuard, type StoreProblem } from "../store-problem.ts";
import { createPartitionGuards, partitionGuards } from "./postgres-partitions.ts";
import { type Guard, REFUSAL, REFUSED, REFUSING } from "./refusal.ts";
import type { TrailDatabase } from "./schema.ts";

const MAX_POSITION = Number.MAX_SAFE_INTEGER;
/** The migration that creates the row guards. */
export const ROW_GUARDS = "002_row_guards";

/** The condition that each column of every inserted row must meet, as one constraint per column. */
const CHECKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  thoughts: {
    thoughts_task_id_length: "char_length(task_id) >= 1 and char_length(task_id) <= 512",
    thoughts_position_range: `position >= 0 and position <= ${MAX_POSITION}`,
    thoughts_id_length: "char_length(id) >= 1 and char_length(id) <= 512",
    thoughts_type_known: "type = any (array['plan', 'analysis', 'decision', 'reflection'])",
    thoughts_agent_id_length: "char_length(agent_id) >= 1 and char_length(agent_id) <= 1048576",
    thoughts_content_length: "char_length(content) <= 1048576",
    thoughts_timestamp_length: "char_length(timestamp) >= 1 and char_length(timestamp) <= 1048576",
    // The trigger ensures that it is the previous row's hash, or zeros.
    thoughts_prev_hash_length: "char_length(prev_hash) = 64",
    // A regular expression would take several times longer. `decode` fails for text that is not hexadecimal.
    thoughts_hash_hex: "char_length(hash) = 64 and hash = encode(decode(hash, 'hex'), 'hex')",
  },
  checkpoints: {
    checkpoints_task_id_length: "char_length(task_id) >= 1 and char_length(task_id) <= 512",
    checkpoints_size_range: `size >= 0 and size <= ${MAX_POSITION}`,
    checkpoints_note_size: "char_length(note) <= 1000000 and split_part(note, E'\\n', 2) = size::text",
  },
};

const [IS, LESS, MINUS] = ["=", "<", "-"].map((name) => `operator(pg_catalog.${name})`);

/**
 * Returns the body of a trigger that refuses rows that neither begin their task nor follow a row of it. Unique keys
 * refuse two rows that follow the same row. The trigger runs once for all rows of a statement, because a call for each
 * row would cost more than the insert: a row is compared with the row before it in the statement, and the first row of
 * each task with the head in the table. `order by … limit 1` makes PostgreSQL use the primary key; a plan that was made
 * while the table was empty would read all rows of the task. Operators, functions and the table are named with their
 * schema, so that the inserting role's search path cannot replace them.
 */
const behindHead = (schema: string): string => `begin
  if exists (
    select from (
      select task_id, position, prev_hash, pg_catalog.lag(position) over chain as before, pg_catalog.lag(hash) over chain as link
      from added window chain as (partition by task_id order by position)
    ) as one left join lateral (
      select position, hash from ${schema}.thoughts
      where one.before is null and task_id ${IS} one.task_id and position ${LESS} one.position
      order by position desc limit 1
    ) as head on true
    where (
      one.position ${IS} 0 and one.prev_hash ${IS} '${ZERO_HASH}' or
      coalesce(one.before, head.position) ${IS} (one.position ${MINUS} 1) and coalesce(one.link, head.hash) ${IS} one.prev_hash
    ) is not true
  ) then raise exception '${REFUSAL}' using errcode = '${REFUSED}'; end if;
  return null;
end`;

/** Creates the function that refuses UPDATE, DELETE and TRUNCATE, and makes it guard all tables. */
export async function createAppendOnlyTriggers(db: QueryExecutorProvider): Promise<void> {
  await sql`create function trail_refuse() returns trigger language plpgsql as ${sql.lit(REFUSING)}`.execute(db);
  await refuseChanges(db, ["thoughts", "checkpoints"]);
}

/** Makes these tables refuse UPDATE, DELETE and TRUNCATE. */
export async function refuseChanges(db: QueryExecutorProvider, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await sql`create trigger ${sql.ref(`${table}_append_only`)} before update or delete or truncate
      on ${sql.table(table)} for each statement execute function trail_refuse()`.execute(db);
  }
}

/**
 * Refuses rows that would belong to no chain. Stored rows are neither read nor written, because `not valid` constraints
 * do not apply to them, but `verify` reports those that belong to no chain.
 */
export async function createRowGuards(db: QueryExecutorProvider, partitioned = false): Promise<void> {
  await createChecks(db, "checkpoints");
  // The index has a digest of the note, because a note with many signatures is longer than an index key may be.
  await sql`alter table checkpoints drop constraint checkpoints_note`.execute(db);
  await sql`create unique index checkpoints_note on checkpoints (task_id, size, hashtextextended(note, 0))`.execute(db);
  await createThoughtGuards(db, partitioned);
}

/** Makes the table of records refuse rows that would belong to no chain. */
export async function createThoughtGuards(db: QueryExecutorProvider, partitioned: boolean): Promise<void> {
  await createChecks(db, "thoughts");
  const schema = await schemaOf(db);
  if (partitioned) await createPartitionGuards(db, schema);
  else {
    await sql`create function trail_behind_head() returns trigger language plpgsql
      as ${sql.lit(behindHead(schema))}`.execute(db);
  }
  await sql`create trigger thoughts_behind_head after insert on thoughts referencing new table as added
    for each statement execute function trail_behind_head()`.execute(db);
}

async function createChecks(db: QueryExecutorProvider, table: string): Promise<void> {
  for (const [name, condition] of Object.entries(CHECKS[table] ?? {})) {
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)}
      check (${sql.raw(condition)}) not valid`.execute(db);
  }
}

/** Returns the tables' schema. In the rest of the transaction, PostgreSQL quotes only names that need it. */
async function schemaOf(db: QueryExecutorProvider): Promise<string> {
  await sql`select set_config('quote_all_identifiers', 'off', true)`.execute(db);
  const { rows } = await sql<{ schema: string }>`
    select quote_ident(nspname) as schema from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where pg_class.oid = to_regclass('thoughts')`.execute(db);
  return String(rows[0]?.schema);
}

/**
 * Returns how the tables' triggers, rules and constraints differ from those that the store created. A store from an
 * older version that has not been migrated yet has none of the guards from {@link createRowGuards}.
 */
export async function compareGuards(db: Transaction<TrailDatabase>, partitioned: boolean): Promise<StoreProblem[]> {
  const { first, second } = expectedGuards(await schemaOf(db), partitioned);
  const found = new Map((await readGuards(db)).map(({ name, definition }) => [name, definition]));
  const isMigrated = second.some(({ name }) => found.has(name)) || (await isRecorded(db));
  const problems: StoreProblem[] = [];
  for (const { name, definition } of isMigrated ? [...first, ...second] : first) {
    const actual = found.get(name);
    if (actual !== definition)
      problems.push(changedGuard(actual === undefined ? `${name} is gone` : `${name} was changed`));
    found.delete(name);
  }
  const others = [...found.keys()].filter((name) => !name.startsWith("constraint "));
  return [...problems, ...others.map((name) => changedGuard(`${name} was added`))];
}

/** Returns whether the database records that the row guards were created, as far as the role may read that. */
async function isRecorded(db: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql<{ readable: boolean | null }>`
    select has_table_privilege(to_regclass('trail_migration'), 'select') as readable`.execute(db);
  if (rows[0]?.readable !== true) return false;
  const found = await sql`select from trail_migration where name = ${ROW_GUARDS}`.execute(db);
  return found.rows.length > 0;
}

function expectedGuards(schema: string, partitioned: boolean): { first: Guard[]; second: Guard[] } {
  const { first, second } = plainGuards(schema);
  if (!partitioned) return { first, second };
  const own = new Map(partitionGuards(schema).map((guard) => [guard.name, normalized(guard)]));
  // The keys of `heads` replace this constraint.
  const others = first.filter(({ name }) => !own.has(name) && name !== "constraint thoughts.thoughts_no_fork");
  return { first: others, second: [...second.filter(({ name }) => !own.has(name)), ...own.values()] };
}

/** Returns a guard whose definition is normalized for the comparison, because PostgreSQL can print it differently. */
function normalized({ name, definition }: Guard): Guard {
  return { name, definition: name.startsWith("constraint ") ? normalize(definition) : definition };
}

function plainGuards(schema: string): { first: Guard[]; second: Guard[] } {
  const trigger = (name: string, type: number, source: string): Guard => ({
    name: `trigger ${name}`,
    definition: `${type} O ${source}`,
  });
  const constraint = (name: string, definition: string): Guard =>
    normalized({ name: `constraint ${name}`, definition });
  // The bits of `pg_trigger.tgtype`: 1 row, 2 before, 4 insert, 8 delete, 16 update, 32 truncate.
  return {
    first: [
      trigger("thoughts.thoughts_append_only", 58, REFUSING),
      trigger("checkpoints.checkpoints_append_only", 58, REFUSING),
      constraint("thoughts.thoughts_position", "PRIMARY KEY (task_id, position)"),
      constraint("thoughts.thoughts_id", "UNIQUE (id, task_id)"),
      constraint("thoughts.thoughts_no_fork", "UNIQUE (task_id, prev_hash)"),
      constraint("thoughts.thoughts_genesis", `CHECK ((position = 0) = (prev_hash = '${ZERO_HASH}'))`),
    ],
    second: [
      trigger("thoughts.thoughts_behind_head", 4, behindHead(schema)),
      ...Object.entries(CHECKS).flatMap(([table, checks]) =>
        Object.entries(checks).map(([name, condition]) => constraint(`${table}.${name}`, `CHECK (${condition})`)),
      ),
    ],
  };
}

/** Returns a condition without the parentheses, types and capitals that PostgreSQL adds when it prints it. */
function normalize(definition: string): string {
  return definition
    .replace(/ NOT VALID$/, "")
    .replace(/::\w+|\\n|\bE(?=')|[()\s"']/g, "")
    .toLowerCase();
}

async function readGuards(db: QueryExecutorProvider): Promise<Guard[]> {
  const { rows } = await sql<Guard>`
    with tables as (
      select oid, relname from pg_class where oid in (to_regclass('thoughts'), to_regclass('checkpoints'))
        or relkind = 'r' and oid = to_regclass('heads') and exists (select from pg_partitioned_table where partrelid = to_regclass('thoughts'))
    ), partitions as (
      select pg_class.oid, relname from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = to_regclass('thoughts')
    )
    select concat('trigger ', relname, '.', tgname) as name,
        concat(tgtype, ' ', tgenabled, ' ', prosrc, proconfig, tgattr, pg_get_expr(tgqual, tgrelid),
          case when prosecdef then ' definer' end) as definition
      from tables join pg_trigger on tgrelid = tables.oid and not tgisinternal join pg_proc on pg_proc.oid = tgfoid
    union all
    select concat('trigger ', relname, '.', tgname), '' from partitions
      join pg_trigger on tgrelid = partitions.oid and not tgisinternal where tgparentid = 0 or tgenabled <> 'O'
    union all
    select concat('constraint ', relname, '.', conname), pg_get_constraintdef(pg_constraint.oid)
      from tables join pg_constraint on conrelid = tables.oid and contype in ('c', 'p', 'u')
    union all
    select concat('rule ', relname, '.', rulename), '' from (table tables union all table partitions) as tables
      join pg_rewrite on ev_class = tables.oid
    union all
    select concat('row security of ', relname), '' from tables where row_security_active(oid)`.execute(db);
  return rows.map(normalized);
}
