import { randomUUID } from "node:crypto";
import type { TrailTransaction } from "@agentprint/trail-store";
import type { RegistryStore } from "./open-store.ts";
import type { RegistryTables } from "./schema.ts";

/** How long a result is valid, in milliseconds. */
const KEPT_MS = 1000;
/** The number of bytes that the probe writes: about as many as the next change needs. */
const BYTES = 64 * 1024;

/** Checks whether the database accepts changes by making a change that leaves no trace. */
export class WriteProbe {
  readonly #store: RegistryStore;
  #result: Promise<string | undefined> | undefined;
  #since = 0;

  constructor(store: RegistryStore) {
    this.#store = store;
  }

  /** Returns why changes cannot be stored now; `undefined` if they can. */
  problem(): Promise<string | undefined> {
    const now = performance.now();
    if (this.#result === undefined || now - this.#since >= KEPT_MS) {
      this.#since = now;
      this.#result = this.#try();
    }
    return this.#result;
  }

  async #try(): Promise<string | undefined> {
    const hash = `probe ${randomUUID()}`;
    try {
      await this.#store.trail.transact(async ({ db }: TrailTransaction<RegistryTables>) => {
        await db
          .insertInto("manifests")
          .values({ hash, body: "a".repeat(BYTES) })
          .execute();
        await db.deleteFrom("manifests").where("hash", "=", hash).execute();
      });
      return undefined;
    } catch (error) {
      const known = this.#store.trail.errorOf(error);
      // A database that waits for another writer does not refuse changes.
      if (known?.code === "busy") return undefined;
      return known?.message ?? "the database refused a change without giving an error code";
    }
  }
}
