import type { Kysely } from "kysely";
import type { RegistryTables } from "../store/schema.ts";
import { type Cursor, GENERATION, type StreamEvent } from "./encode-event.ts";
import type { StreamStart } from "./version-stream.ts";

/** The most versions of one agent that a stream replays; a client that has missed more starts again. */
const MAX_REPLAYED = 1000;

/** A client's claim that it has received a version that the registry does not have. */
export interface Claim {
  readonly agentId: string;
  readonly version: number;
}

/** A stream that can begin, and its client's claims about versions that the registry does not have. */
export interface BegunStream extends StreamStart {
  readonly claims: readonly Claim[];
}

/** Returns the versions in an event's id; invalid versions are left out, so that their agents are reset. */
function parseCursor(id: string): Map<string, number> {
  const versions = [...new URLSearchParams(id)].filter(([, version]) => /^(?:0|[1-9]\d{0,8})$/.test(version));
  return new Map(versions.map(([agent, version]) => [agent, Number(version)]));
}

/**
 * Begins a stream with the agents at their current versions, or at the versions in the client's last event. If the
 * stream cannot continue from that event, the agent begins at its current version with `reset`: because the event is
 * unknown or too far behind, or because it is ahead of the agent's version now or just after a later rollback. `first`
 * contains the events that the stream begins with.
 */
export async function beginStream(
  db: Kysely<RegistryTables>,
  agents: readonly string[],
  lastEventId: string | undefined,
): Promise<BegunStream> {
  const rows = await db
    .selectFrom("agents")
    .select(["id", "version"])
    .where("id", "in", [...agents])
    .execute();
  const present = new Map(rows.map(({ id, version }) => [id, version]));
  const last = lastEventId === undefined ? undefined : parseCursor(lastEventId);
  const { generation, kept } = await readRollbacks(db, agents, last?.get(GENERATION) ?? 0);
  const cursor: Cursor = new Map();
  const resets: StreamEvent[] = [];
  const claims: Claim[] = [];
  for (const agent of agents) {
    const version = present.get(agent) ?? 0;
    const known = last?.get(agent);
    const isAhead = known !== undefined && known > Math.min(version, kept(agent));
    const isGap = last !== undefined && (known === undefined || isAhead || version - known > MAX_REPLAYED);
    if (isAhead) claims.push({ agentId: agent, version: known });
    if (isGap) resets.push({ event: "reset", data: { agent_id: agent, capability_manifest_version: version } });
    cursor.set(agent, isGap || known === undefined ? version : known);
  }
  const versions = [...cursor].map(([agent_id, version]) => ({ agent_id, capability_manifest_version: version }));
  // Event ids from a registry that was never rolled back contain only versions.
  if (generation > 0) cursor.set(GENERATION, generation);
  const versionOf = (agent: string): number => present.get(agent) ?? 0;
  return {
    cursor,
    present: new Map(agents.map((agent) => [agent, versionOf(agent)])),
    first: [{ event: "start", data: { versions } }, ...resets],
    claims,
  };
}

/**
 * Returns the number of rollbacks, and for each agent the lowest version to which any rollback after the first `since`
 * ones took it back.
 */
async function readRollbacks(
  db: Kysely<RegistryTables>,
  agents: readonly string[],
  since: number,
): Promise<{ readonly generation: number; readonly kept: (agent: string) => number }> {
  const row = await db
    .selectFrom("rollbacks")
    .select((eb) => eb.fn.max("position").as("generation"))
    .executeTakeFirst();
  const generation = Number(row?.generation ?? 0);
  if (since >= generation) return { generation, kept: () => Number.POSITIVE_INFINITY };
  const rows = await db
    .selectFrom("kept_versions")
    .select((eb) => ["agent_id", eb.fn.min("version").as("version"), eb.fn.countAll().as("count")])
    .where("agent_id", "in", [...agents])
    .where("rollback", ">", since)
    .groupBy("agent_id")
    .execute();
  // A rollback that removes all of an agent's versions leaves no row for it.
  const whole = rows.filter(({ count }) => Number(count) === generation - since);
  const least = new Map(whole.map(({ agent_id, version }) => [agent_id, Number(version)]));
  return { generation, kept: (agent) => least.get(agent) ?? 0 };
}
