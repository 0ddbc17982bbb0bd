import { AgentIdSchema } from "@agentprint/registry-api/answers";
import type { Kysely } from "kysely";
import type { RegistryTables } from "../store/schema.ts";

/**
 * Lists lost versions that were neither restored nor given up, and agents whose last version no one has declared, one
 * per line.
 */
export async function listLost(db: Kysely<RegistryTables>): Promise<string[]> {
  const agents = new Map(
    (await db.selectFrom("agents").selectAll().orderBy("id").execute()).map((row) => [row.id, row]),
  );
  const said = new Set(
    (await db.selectFrom("reached_versions").select("agent_id").execute()).map((row) => row.agent_id),
  );
  const heads = await db
    .selectFrom("lost_heads")
    .select((eb) => ["agent_id", eb.fn.max("size").as("until")])
    .groupBy("agent_id")
    .orderBy("agent_id")
    .execute();
  const lines: string[] = [];
  for (const { agent_id, until } of heads) {
    const first = (agents.get(agent_id)?.version ?? 0) + 1;
    if (!AgentIdSchema.safeParse(agent_id).success || first > Number(until) || said.has(agent_id)) continue;
    lines.push(`${agent_id}  versions ${first} to ${until} are lost`);
  }
  for (const { id, version, is_unsettled } of agents.values()) {
    if (is_unsettled === 1) lines.push(`${id}  is at version ${version}; nobody has declared its last version`);
  }
  const claims = await db.selectFrom("claimed_versions").selectAll().orderBy("agent_id").execute();
  for (const { agent_id, version } of claims)
    lines.push(`${agent_id}  a client reports that it has seen version ${version}`);
  const open = await db.selectFrom("rollbacks").select("position").where("is_unsettled", "=", 1).limit(1).execute();
  if (open.length > 0)
    lines.push("nobody has declared whether there were other agents: agentprint-registry versions reached --rest");
  return lines;
}
