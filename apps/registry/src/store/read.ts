import type { Kysely } from "kysely";
import { RegistryError } from "../errors.ts";
import { keepQuery } from "./kept-query.ts";
import type { RegistryStore } from "./open-store.ts";
import type { AgentRow, ManifestRow, RegistryTables, VersionRow } from "./schema.ts";

/** A version with its manifest. */
export type VersionWithManifest = VersionRow & ManifestRow;

const agentById = keepQuery((db) => db.selectFrom("agents").selectAll().where("id", "=", ""));

/**
 * The present version of an agent.
 *
 * @throws {@link RegistryError} `AGENT_NOT_FOUND`.
 */
export async function readAgent({ select }: Pick<RegistryStore, "select">, agentId: string): Promise<AgentRow> {
  const [row] = await select(agentById, agentId);
  if (!row) throw new RegistryError("AGENT_NOT_FOUND", `there is no agent ${JSON.stringify(agentId)}`);
  return row;
}

/** At most `limit` agents by id, behind the id `after`. */
export async function listAgents(db: Kysely<RegistryTables>, after: string, limit: number): Promise<AgentRow[]> {
  return db.selectFrom("agents").selectAll().where("id", ">", after).orderBy("id").limit(limit).execute();
}

/**
 * A version of an agent, with its manifest.
 *
 * @throws {@link RegistryError} `AGENT_NOT_FOUND`, `VERSION_NOT_FOUND`.
 */
export async function readVersion(
  store: Pick<RegistryStore, "db" | "select">,
  agentId: string,
  version: number,
): Promise<VersionWithManifest> {
  const row = await store.db
    .selectFrom("versions")
    .innerJoin("manifests", "manifests.hash", "versions.hash")
    .selectAll("versions")
    .select("manifests.body")
    .where("agent_id", "=", agentId)
    .where("version", "=", version)
    .executeTakeFirst();
  if (row) return row;
  const agent = await readAgent(store, agentId);
  throw new RegistryError("VERSION_NOT_FOUND", `expected a version from 1 to ${agent.version}, received ${version}`);
}

/** At most `limit` versions of an agent behind version `after`, oldest first. */
export async function listVersions(
  db: Kysely<RegistryTables>,
  agentId: string,
  after: number,
  limit: number,
): Promise<VersionRow[]> {
  return db
    .selectFrom("versions")
    .selectAll()
    .where("agent_id", "=", agentId)
    .where("version", ">", after)
    .orderBy("version")
    .limit(limit)
    .execute();
}

/** At most `limit` versions of an agent before version `before`, newest first. */
export async function listVersionsBefore(
  db: Kysely<RegistryTables>,
  agentId: string,
  before: number,
  limit: number,
): Promise<VersionRow[]> {
  return db
    .selectFrom("versions")
    .selectAll()
    .where("agent_id", "=", agentId)
    .where("version", "<", before)
    .orderBy("version", "desc")
    .limit(limit)
    .execute();
}

/** The ids of the scopes that every version of an agent from `from` to `to` declares. */
export async function scopesOfAll(
  db: Kysely<RegistryTables>,
  agentId: string,
  from: number,
  to: number,
): Promise<ReadonlySet<string>> {
  // Versions with the same scopes give one row.
  const rows = await db
    .selectFrom("versions")
    .select("scopes")
    .distinct()
    .where("agent_id", "=", agentId)
    .where("version", ">=", from)
    .where("version", "<=", to)
    .execute();
  const [first = [], ...others] = rows.map(({ scopes }): string[] => JSON.parse(scopes));
  const sets = others.map((scopes) => new Set(scopes));
  return new Set(first.filter((id) => sets.every((scopes) => scopes.has(id))));
}

/** Whether a version of an agent behind `from`, up to `to`, has breaking changes. */
export async function hasBreakingSince(
  db: Kysely<RegistryTables>,
  agentId: string,
  from: number,
  to: number,
): Promise<boolean> {
  const row = await db
    .selectFrom("versions")
    .select("version")
    .where("agent_id", "=", agentId)
    .where("version", ">", from)
    .where("version", "<=", to)
    .where("breaking_changes", "<>", "[]")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
