import type { Kysely } from "kysely";
import type { RegistryTables } from "../store/schema.ts";
import type { Cursor, StreamEvent } from "./encode-event.ts";
import type { StreamStart } from "./version-stream.ts";

/** Most versions of one agent that a stream gives one after the other; who missed more begins anew. */
const MAX_REPLAYED = 1000;

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
): Promise<StreamStart> {
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
  const versionOf = (agent: string): number => present.get(agent) ?? 0;
  return {
    cursor,
    present: new Map(agents.map((agent) => [agent, versionOf(agent)])),
    first: [{ event: "start", data: { versions } }, ...resets],
  };
}
