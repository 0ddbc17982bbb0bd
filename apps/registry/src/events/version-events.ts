import type { Kysely } from "kysely";
import { listVersions } from "../store/read.ts";
import type { RegistryTables } from "../store/schema.ts";

/** Most versions of one agent that a stream tells one after the other; who missed more begins anew. */
const MAX_REPLAYED = 1000;
const PAGE = 100;

/** One message of a stream. */
export interface StreamEvent {
  /**
   * `start` has the version of each agent at which a stream begins; `breaking` and `version` are accepted versions with and
   * without breaking changes; after `reset` a client reads anew.
   */
  readonly event: "start" | "breaking" | "version" | "reset";
  readonly data: object;
}

/** How far a stream has told the versions of each agent. */
export type Cursor = Map<string, number>;

/** A cursor as the id of an event: `demo=3&other=7`. */
export function formatCursor(cursor: Cursor): string {
  return new URLSearchParams(
    Object.fromEntries([...cursor].map(([agent, version]) => [agent, String(version)])),
  ).toString();
}

/** The versions in the id of an event; what is no version is left out, so that its agent is reset. */
function parseCursor(id: string): Map<string, number> {
  const versions = [...new URLSearchParams(id)].filter(([, version]) => /^(?:0|[1-9]\d{0,8})$/.test(version));
  return new Map(versions.map(([agent, version]) => [agent, Number(version)]));
}

/**
 * Begins a stream: the agents at their present versions, or at those of the last event that the client got. Where that event
 * cannot be continued (it is unknown, ahead of the agent, or too far behind) the agent begins at its present version with `reset`.
 * `first` are the events that a stream begins with.
 */
export async function beginStream(
  db: Kysely<RegistryTables>,
  agents: readonly string[],
  lastEventId: string | undefined,
): Promise<{ readonly cursor: Cursor; readonly first: readonly StreamEvent[] }> {
  const rows = await db
    .selectFrom("agents")
    .select(["id", "version"])
    .where("id", "in", [...agents])
    .execute();
  const present = new Map(rows.map(({ id, version }) => [id, version]));
  const last = lastEventId === undefined ? undefined : parseCursor(lastEventId);
  const cursor: Cursor = new Map();
  const resets: StreamEvent[] = [];
  for (const agent of agents) {
    const version = present.get(agent) ?? 0;
    const known = last?.get(agent);
    const isGap = last !== undefined && (known === undefined || known > version || version - known > MAX_REPLAYED);
    if (isGap) resets.push({ event: "reset", data: { agent_id: agent, capability_manifest_version: version } });
    cursor.set(agent, isGap || known === undefined ? version : known);
  }
  const versions = [...cursor].map(([agent_id, version]) => ({ agent_id, capability_manifest_version: version }));
  return { cursor, first: [{ event: "start", data: { versions } }, ...resets] };
}

/** The versions of an agent behind the cursor, which is moved on as they are told. */
export async function* newVersions(
  db: Kysely<RegistryTables>,
  agent: string,
  cursor: Cursor,
): AsyncGenerator<StreamEvent, void> {
  for (;;) {
    const rows = await listVersions(db, agent, cursor.get(agent) ?? 0, PAGE);
    for (const { version, hash, breaking_changes, weakens_consent, created_at } of rows) {
      cursor.set(agent, version);
      const data = {
        agent_id: agent,
        capability_manifest_version: version,
        capability_manifest_hash: hash,
        breaking_changes: JSON.parse(breaking_changes),
        weakens_consent: weakens_consent === 1,
        created_at,
      };
      yield { event: breaking_changes === "[]" ? "version" : "breaking", data };
    }
    if (rows.length < PAGE) return;
  }
}
