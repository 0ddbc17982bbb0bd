import type { SignerKey, TrailStore } from "@agentprint/trail-store";
import type { Kysely } from "kysely";
import type { RegistryTables } from "../store/schema.ts";
import { taskOf } from "./change-record.ts";

/** The origin of the checkpoints of an agent, each with its own, so that one cannot stand for another. */
export function originOf({ signer }: SignerKey, agentId: string): string {
  return `${signer.name}/${taskOf(agentId)}`;
}

/** Signs a checkpoint of every agent that has a version behind its newest one; returns the agents. */
export async function signCheckpoints(
  db: Kysely<RegistryTables>,
  trail: TrailStore,
  signing: SignerKey,
): Promise<string[]> {
  const agents = await db
    .selectFrom("agents")
    .select("id")
    .where("version", ">", (eb) =>
      eb
        .selectFrom("checkpoints")
        .select((one) => one.fn.coalesce(one.fn.max("size"), one.lit(0)).as("size"))
        .whereRef("checkpoints.task_id", "=", (one) => one.fn<string>("concat", [one.val("agents/"), "agents.id"])),
    )
    .orderBy("id")
    .execute();
  for (const { id } of agents) {
    await trail.checkpoint(taskOf(id), { origin: originOf(signing, id), signers: [signing.signer] });
  }
  return agents.map(({ id }) => id);
}
