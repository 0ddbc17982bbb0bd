import type { TrailTransaction } from "@agentprint/trail-store";
import type { KeyList } from "../elsewhere/kept-notes.ts";
import type { RegistryStore } from "../store/open-store.ts";
import type { RegistryTables } from "../store/schema.ts";
import { ownRecord } from "../trail/own-chain.ts";
import type { LostHead } from "./find-lost.ts";

/** A rollback that an operator accepts. */
export interface Rollback {
  readonly lost: readonly LostHead[];
  /**
   * The agents whose checkpoints are kept elsewhere, which show the last version of each; `undefined` without such
   * checkpoints.
   */
  readonly known: ReadonlySet<string> | undefined;
  /** The keys that were valid before the rollback; without this list, all keys wait to be confirmed. */
  readonly keyList: KeyList | undefined;
}

/**
 * Accepts a rollback in one transaction: records it in the registry's chain, blocks new versions of agents until the
 * lost ones are restored, and suspends keys.
 */
export async function acceptRollback(
  { trail }: RegistryStore,
  { lost, known, keyList }: Rollback,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  await trail.transact(async (transaction: TrailTransaction<RegistryTables>) => {
    const { db, append } = transaction;
    for (const { agentId, size, note } of lost) {
      await db.insertInto("lost_heads").values({ agent_id: agentId, size, note, accepted_at: at }).execute();
      await db
        .updateTable("agents")
        .set({ lost_until: size })
        .where("id", "=", agentId)
        .where("lost_until", "<", size)
        .execute();
    }
    await recordNumbers(transaction, known, at);
    const suspended = await changeKeys(transaction, keyList, at);
    const records = lost.map(({ agentId, length, size, note }) => ({
      agent_id: agentId,
      kept: Math.min(length, size),
      lost: Math.max(0, size - length),
      checkpoint: note,
    }));
    await append(ownRecord({ event: "rollback", lost: records, suspended }, now));
    await db.deleteFrom("restorations").execute();
  });
}

/**
 * Records which versions remain. An agent whose last version is unknown receives no new version until someone declares
 * it. If it is unknown which agents there were, no agent can be added.
 */
async function recordNumbers(
  { db }: TrailTransaction<RegistryTables>,
  known: ReadonlySet<string> | undefined,
  at: string,
): Promise<void> {
  const last = await db
    .selectFrom("rollbacks")
    .select((eb) => eb.fn.max("position").as("position"))
    .executeTakeFirst();
  const position = Number(last?.position ?? 0) + 1;
  const is_unsettled = known === undefined ? 1 : 0;
  await db.insertInto("rollbacks").values({ position, accepted_at: at, is_unsettled }).execute();
  await db
    .insertInto("kept_versions")
    .columns(["rollback", "agent_id", "version"])
    .expression(
      db
        .selectFrom("agents")
        .select((eb) => [eb.cast<number>(eb.val(position), "integer").as("rollback"), "id", "version"]),
    )
    .execute();
  if (!known) {
    await db.updateTable("agents").set({ is_unsettled }).execute();
    await db.deleteFrom("reached_versions").execute();
    return;
  }
  for (const { id } of await db.selectFrom("agents").select("id").execute()) {
    if (!known.has(id)) await db.updateTable("agents").set({ is_unsettled: 1 }).where("id", "=", id).execute();
  }
}

/**
 * Suspends every key, or applies a list by revoking the keys that are not in it. Returns how many keys wait to be
 * confirmed.
 */
async function changeKeys(
  { db }: TrailTransaction<RegistryTables>,
  keyList: KeyList | undefined,
  at: string,
): Promise<number> {
  const keys = await db.selectFrom("api_keys").select(["id", "expires_at"]).where("revoked_at", "is", null).execute();
  for (const { id, expires_at } of keys) {
    const end = keyList?.keys.get(id);
    const change =
      keyList === undefined
        ? { suspended_at: at }
        : end === undefined
          ? { revoked_at: at }
          : { expires_at: end ?? expires_at };
    await db.updateTable("api_keys").set(change).where("id", "=", id).execute();
  }
  return keyList === undefined ? keys.length : 0;
}
