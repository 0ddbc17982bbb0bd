import type { Kysely } from "kysely";
import { PRESENT, type RegistryTables, type ScopeRow } from "./schema.ts";

/** The number of rows in one INSERT, because PostgreSQL and SQLite accept a limited number of parameters. */
const BATCH = 500;

/** The ids of an agent's scopes that a version adds and removes. */
export interface ScopeChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Returns the scopes that `after` adds to `before` and those that it removes. */
export function compareScopes(before: Iterable<string>, after: Iterable<string>): ScopeChanges {
  const [old, now] = [new Set(before), new Set(after)];
  return { added: [...now].filter((id) => !old.has(id)), removed: [...old].filter((id) => !now.has(id)) };
}

/** Stores the scopes that version `version` of an agent declares, as the changes since the previous version. */
export async function storeScopes(
  db: Kysely<RegistryTables>,
  agentId: string,
  version: number,
  { added, removed }: ScopeChanges,
): Promise<void> {
  for (const ids of batchesOf(removed)) {
    await db
      .updateTable("version_scopes")
      .set({ until: version - 1 })
      .where("agent_id", "=", agentId)
      .where("until", "=", PRESENT)
      .where("scope_id", "in", ids)
      .execute();
  }
  await insertScopes(
    db,
    added.map((scope_id) => ({ agent_id: agentId, scope_id, since: version, until: PRESENT })),
  );
}

/** Inserts rows, a few hundred at a time. */
export async function insertScopes(db: Kysely<RegistryTables>, rows: readonly ScopeRow[]): Promise<void> {
  for (const some of batchesOf(rows)) await db.insertInto("version_scopes").values(some).execute();
}

/** Returns the ids of the scopes that all of an agent's versions from `from` to `to` declare. */
export async function scopesOfAll(
  db: Kysely<RegistryTables>,
  agentId: string,
  from: number,
  to: number,
): Promise<ReadonlySet<string>> {
  // The index finds the runs that have not ended at `to`; for the newest version, there is one run per scope.
  const rows = await db
    .selectFrom("version_scopes")
    .select("scope_id")
    .where("agent_id", "=", agentId)
    .where("until", ">=", to)
    .where("since", "<=", from)
    .execute();
  return new Set(rows.map(({ scope_id }) => scope_id));
}

function batchesOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, index) =>
    all.slice(index * BATCH, (index + 1) * BATCH),
  );
}
