import type { TrailTransaction } from "@agentprint/trail-store";
import { RegistryError } from "../errors.ts";
import type { RegistryStore } from "../store/open-store.ts";
import type { RegistryTables } from "../store/schema.ts";
import { lostRecord, taskOf } from "../trail/change-record.ts";
import { ownRecord } from "../trail/own-chain.ts";
import { lengthOf } from "./find-lost.ts";

/** The most versions that are given up at once, because each adds a record to its agent's chain. */
const MAX_GIVEN_UP = 10_000;

/**
 * Accepts the declaration that an agent had reached a version before a rollback. The remaining lost numbers are given
 * up: for each, a record is added to the chain, and the next version gets the number after them. A lower version
 * changes nothing.
 *
 * @returns The number of lost numbers that were given up
 * @throws {@link RegistryError} `INVALID_BODY` when there are more than {@link MAX_GIVEN_UP}
 */
export async function settleAgent(
  { trail }: RegistryStore,
  agentId: string,
  reached: number,
  now: Date,
): Promise<number> {
  return trail.transact(async ({ db, append }: TrailTransaction<RegistryTables>) => {
    const first = (await lengthOf(db, taskOf(agentId))) + 1;
    const count = Math.max(0, reached - first + 1);
    if (count > MAX_GIVEN_UP) {
      const message = `expected a version of ${agentId} up to ${first - 1 + MAX_GIVEN_UP}, received ${reached}`;
      throw new RegistryError("INVALID_BODY", message);
    }
    for (let version = first; version <= reached; version++) await append(lostRecord(agentId, version, now));
    const last = Math.max(reached, first - 1);
    const row = { agent_id: agentId, version: last };
    await db
      .insertInto("reached_versions")
      .values(row)
      .onConflict((conflict) => conflict.column("agent_id").doUpdateSet(row))
      .execute();
    const settled = { is_unsettled: 0, lost_until: 0, ...(count > 0 && { reached: last }) };
    await db.updateTable("agents").set(settled).where("id", "=", agentId).execute();
    await db.deleteFrom("claimed_versions").where("agent_id", "=", agentId).where("version", "<=", last).execute();
    if (count > 0)
      await append(ownRecord({ event: "numbers_given_up", agent_id: agentId, kept: first - 1, reached: last }, now));
    return count;
  });
}

/**
 * Accepts the declaration that no other agent had a newer version than in the database, and that there were no other
 * agents.
 */
export async function settleRest({ trail }: RegistryStore, now: Date): Promise<void> {
  await trail.transact(async ({ db, append }: TrailTransaction<RegistryTables>) => {
    await db.updateTable("agents").set({ is_unsettled: 0 }).where("is_unsettled", "=", 1).execute();
    const { numUpdatedRows } = await db
      .updateTable("rollbacks")
      .set({ is_unsettled: 0 })
      .where("is_unsettled", "=", 1)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await append(ownRecord({ event: "rollback_settled" }, now));
  });
}
