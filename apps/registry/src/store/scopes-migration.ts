import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { PRESENT, type RegistryTables, type ScopeRow } from "./schema.ts";
import { compareScopes, insertScopes } from "./scope-runs.ts";

/** The number of versions that are read at once. */
const PAGE = 200;

/** A version as the first migration stored it, without the columns that this migration does not read. */
interface OldVersion {
  readonly agent_id: string;
  readonly version: number;
  readonly breaking_changes: string;
  /** JSON: the ids of the manifest's scopes. */
  readonly scopes: string;
}

interface OldTables extends Omit<RegistryTables, "versions"> {
  versions: OldVersion & { breaking_version: number };
}

/** Moves the versions' scopes to their own rows, and adds to each version the newest breaking version before it. */
export const scopesMigration: Migration = {
  async up(db): Promise<void> {
    await db.schema
      .createTable("version_scopes")
      .addColumn("agent_id", "text", (column) => column.notNull().references("agents.id"))
      .addColumn("scope_id", "text", (column) => column.notNull())
      .addColumn("since", "integer", (column) => column.notNull())
      .addColumn("until", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("version_scopes_key", ["agent_id", "scope_id", "since"])
      .execute();
    await db.schema
      .createIndex("version_scopes_until")
      .on("version_scopes")
      .columns(["agent_id", "until", "since", "scope_id"])
      .execute();
    await db.schema
      .alterTable("versions")
      .addColumn("breaking_version", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await fill(db as unknown as Kysely<OldTables>);
    await db.schema.alterTable("versions").dropColumn("scopes").execute();
  },
};

async function fill(db: Kysely<OldTables>): Promise<void> {
  const agents = await db.selectFrom("agents").select("id").orderBy("id").execute();
  for (const { id } of agents) await fillAgent(db, id);
}

async function fillAgent(db: Kysely<OldTables>, agentId: string): Promise<void> {
  const open = new Map<string, number>();
  let after = 0;
  let breaking = 0;
  for (;;) {
    const rows = await pageOf(db, agentId, after);
    const ended: ScopeRow[] = [];
    for (const { version, breaking_changes, scopes } of rows) {
      const { added, removed } = compareScopes(open.keys(), JSON.parse(scopes) as string[]);
      for (const scope_id of removed) {
        ended.push({ agent_id: agentId, scope_id, since: open.get(scope_id) ?? version, until: version - 1 });
        open.delete(scope_id);
      }
      for (const scope of added) open.set(scope, version);
      if (breaking_changes !== "[]") breaking = version;
      if (breaking > 0) await setBreaking(db, agentId, version, breaking);
      after = version;
    }
    await insertScopes(db as unknown as Kysely<RegistryTables>, ended);
    if (rows.length < PAGE) break;
  }
  const present = [...open].map(([scope_id, since]) => ({ agent_id: agentId, scope_id, since, until: PRESENT }));
  await insertScopes(db as unknown as Kysely<RegistryTables>, present);
}

function pageOf(db: Kysely<OldTables>, agentId: string, after: number): Promise<Omit<OldVersion, "agent_id">[]> {
  return db
    .selectFrom("versions")
    .select(["version", "breaking_changes", "scopes"])
    .where("agent_id", "=", agentId)
    .where("version", ">", after)
    .orderBy("version")
    .limit(PAGE)
    .execute();
}

async function setBreaking(db: Kysely<OldTables>, agentId: string, version: number, breaking: number): Promise<void> {
  await db
    .updateTable("versions")
    .set({ breaking_version: breaking })
    .where("agent_id", "=", agentId)
    .where("version", "=", version)
    .execute();
}
