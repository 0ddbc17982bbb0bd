import { type Kysely, sql } from "kysely";
import { RegistryError } from "../errors.ts";
import { keepQuery } from "./kept-query.ts";
import type { RegistryStore } from "./open-store.ts";
import type { AgentRow, ManifestRow, RegistryTables, VersionRow } from "./schema.ts";

/** The most bytes in a page of a list, unless a single item is longer. */
const MAX_PAGE_BYTES = 256 * 1024;
/** The number of bytes of an item, apart from the texts whose length is read. */
const ROW_OVERHEAD = 400;

/** A version with its manifest. */
export type VersionWithManifest = VersionRow & ManifestRow;

const agentById = keepQuery((db) => db.selectFrom("agents").selectAll().where("id", "=", ""));

/**
 * Returns an agent's current version.
 *
 * @throws {@link RegistryError} `AGENT_NOT_FOUND`.
 */
export async function readAgent({ select }: Pick<RegistryStore, "select">, agentId: string): Promise<AgentRow> {
  const [row] = await select(agentById, agentId);
  if (!row) throw new RegistryError("AGENT_NOT_FOUND", `there is no agent ${JSON.stringify(agentId)}`);
  return row;
}

/** Returns at most `limit` agents after the id `after`, ordered by id. */
export async function listAgents(db: Kysely<RegistryTables>, after: string, limit: number): Promise<AgentRow[]> {
  return db.selectFrom("agents").selectAll().where("id", ">", after).orderBy("id").limit(limit).execute();
}

/** An agent's newest version that broke something and its newest version that weakened consent, each with its time. */
export interface NotableVersions {
  readonly broken: Notable | undefined;
  readonly weakened: Notable | undefined;
}

interface Notable {
  readonly version: number;
  readonly created_at: string;
}

/** Returns for each agent the latest versions that broke something or weakened consent. */
export async function listNotable(
  db: Kysely<RegistryTables>,
  agents: readonly AgentRow[],
): Promise<ReadonlyMap<string, NotableVersions>> {
  if (agents.length === 0) return new Map();
  const ids = agents.map(({ id }) => id);
  const present = await db
    .selectFrom("agents")
    .innerJoin("versions", (join) =>
      join.onRef("versions.agent_id", "=", "agents.id").onRef("versions.version", "=", "agents.version"),
    )
    .innerJoin("versions as broken", (join) =>
      join.onRef("broken.agent_id", "=", "agents.id").onRef("broken.version", "=", "versions.breaking_version"),
    )
    .select(["agents.id as agent_id", "broken.version", "broken.created_at"])
    .where("agents.id", "in", ids)
    .execute();
  const last = db
    .selectFrom("versions")
    .select((eb) => ["agent_id", eb.fn.max("version").as("version")])
    .where("weakens_consent", "=", 1)
    .where("agent_id", "in", ids)
    .groupBy("agent_id")
    .as("last");
  const weakened = await db
    .selectFrom("versions")
    .innerJoin(last, (join) =>
      join.onRef("last.agent_id", "=", "versions.agent_id").onRef("last.version", "=", "versions.version"),
    )
    .select(["versions.agent_id", "versions.version", "versions.created_at"])
    .execute();
  const of = (rows: readonly (Notable & { readonly agent_id: string })[]) =>
    new Map(rows.map((row) => [row.agent_id, row]));
  const [brokenBy, weakenedBy] = [of(present), of(weakened)];
  return new Map(ids.map((id) => [id, { broken: brokenBy.get(id), weakened: weakenedBy.get(id) }]));
}

/** Returns the manifests of some of an agent's versions, by version. */
export async function readManifestBodies(
  db: Kysely<RegistryTables>,
  agentId: string,
  versions: readonly number[],
): Promise<ReadonlyMap<number, ManifestRow>> {
  if (versions.length === 0) return new Map();
  const rows = await db
    .selectFrom("versions")
    .innerJoin("manifests", "manifests.hash", "versions.hash")
    .select(["versions.version", "manifests.hash", "manifests.body"])
    .where("agent_id", "=", agentId)
    .where("version", "in", [...versions])
    .execute();
  return new Map(rows.map(({ version, hash, body }) => [version, { hash, body }]));
}

/**
 * Returns a version of an agent, with its manifest.
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
  if (version > 0 && version < agent.version) {
    throw new RegistryError("VERSION_NOT_FOUND", `version ${version} of ${agentId} was lost in a rollback`);
  }
  throw new RegistryError("VERSION_NOT_FOUND", `expected a version from 1 to ${agent.version}, received ${version}`);
}

/** A page of versions, and whether there are more versions after it. */
export interface VersionsPage {
  readonly rows: readonly ListedVersion[];
  readonly more: boolean;
}

/** A version in a list. */
export type ListedVersion = Omit<VersionRow, "breaking_version">;

/** The position where a page of versions starts, and its length. */
export interface VersionsRange {
  /** The versions `after` a version, oldest first, or `before` one, newest first. */
  readonly from: { readonly after: number } | { readonly before: number };
  readonly limit: number;
}

/**
 * Returns a page of an agent's versions: at most `limit`, and only as many as {@link MAX_PAGE_BYTES} allows. For the
 * other versions, only the lengths are read.
 */
export async function listVersions(
  db: Kysely<RegistryTables>,
  agentId: string,
  { from, limit }: VersionsRange,
): Promise<VersionsPage> {
  const isForward = "after" in from;
  const all = db
    .selectFrom("versions")
    .where("agent_id", "=", agentId)
    .orderBy("version", isForward ? "asc" : "desc");
  const sizes = await all
    .select(["version", sql<number>`octet_length(breaking_changes) + octet_length(warnings)`.as("bytes")])
    .where("version", isForward ? ">" : "<", isForward ? from.after : from.before)
    .limit(limit + 1)
    .execute();
  const count = Math.min(limit, countFitting(sizes.map(({ bytes }) => Number(bytes) + ROW_OVERHEAD)));
  const [first, last] = [sizes[0], sizes[count - 1]];
  if (!first || !last) return { rows: [], more: false };
  const rows = await all
    .select([
      "agent_id",
      "version",
      "hash",
      "breaking_changes",
      "weakens_consent",
      "warnings",
      "key_id",
      "created_at",
      "is_given_back",
    ])
    .where("version", ">=", Math.min(first.version, last.version))
    .where("version", "<=", Math.max(first.version, last.version))
    .execute();
  return { rows, more: sizes.length > count };
}

/** Returns how many items fit into a page of {@link MAX_PAGE_BYTES}; at least one. */
export function countFitting(bytes: readonly number[]): number {
  let sum = 0;
  const end = bytes.findIndex((size) => {
    sum += size;
    return sum > MAX_PAGE_BYTES;
  });
  return end < 0 ? bytes.length : Math.max(1, end);
}
