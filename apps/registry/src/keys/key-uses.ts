import type { TrailTransaction } from "@agentprint/trail-store";
import type { RegistryStore } from "../store/open-store.ts";
import type { RegistryTables } from "../store/schema.ts";
import { ownRecord } from "../trail/own-chain.ts";

/**
 * Notes when keys are used: stores the time of the last use, and one record per key and day in the registry's chain.
 */
export class KeyUses {
  readonly #used = new Map<string, Date>();

  /** Notes a use; it is stored by {@link store}. */
  note(keyId: string, at: Date): void {
    this.#used.set(keyId, at);
  }

  /** Stores the uses noted since the last call. */
  async store({ trail }: Pick<RegistryStore, "trail">): Promise<void> {
    const used = [...this.#used];
    if (used.length === 0) return;
    await trail.transact(async ({ db, append }: TrailTransaction<RegistryTables>) => {
      for (const [id, at] of used) {
        const row = await db.selectFrom("api_keys").select("last_used_at").where("id", "=", id).executeTakeFirst();
        const last = row?.last_used_at ?? "";
        const now = at.toISOString();
        if (!row || last >= now) continue;
        await db.updateTable("api_keys").set({ last_used_at: now }).where("id", "=", id).execute();
        if (last.slice(0, 10) !== now.slice(0, 10)) await append(ownRecord({ event: "key_used", key_id: id }, at));
      }
    });
    for (const [id, at] of used) if (this.#used.get(id) === at) this.#used.delete(id);
  }
}
