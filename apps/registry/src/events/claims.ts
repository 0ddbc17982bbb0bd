import type { TrailTransaction } from "@agentprint/trail-store";
import type { Logger } from "pino";
import type { RegistryStore } from "../store/open-store.ts";
import type { RegistryTables } from "../store/schema.ts";
import type { Claim } from "./begin-stream.ts";

/** The maximum number of claims kept, because anyone can make claims. */
const MAX_CLAIMS = 1000;

/** Reports to the operator when clients claim to have received versions that the registry does not have. */
export class Claims {
  readonly #store: Pick<RegistryStore, "trail">;
  readonly #log: Logger;
  /** The highest version claimed for each agent since the process started. */
  readonly #highest = new Map<string, number>();

  constructor(store: Pick<RegistryStore, "trail">, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /** Reports new claims; never throws. */
  async report(claims: readonly Claim[]): Promise<void> {
    for (const { agentId, version } of claims) {
      const known = this.#highest.get(agentId) ?? 0;
      if (version <= known || (known === 0 && this.#highest.size >= MAX_CLAIMS)) continue;
      this.#highest.set(agentId, version);
      this.#log.warn(
        { agent_id: agentId, version },
        "a client claims to have received a version that the registry does not have",
      );
      await this.#keep({ agentId, version }).catch((error: unknown) => {
        this.#log.warn({ err: error }, "the versions that a client reported could not be stored");
      });
    }
  }

  async #keep({ agentId, version }: Claim): Promise<void> {
    await this.#store.trail.transact(async ({ db }: TrailTransaction<RegistryTables>) => {
      const { count } = await db
        .selectFrom("claimed_versions")
        .select((eb) => eb.fn.countAll().as("count"))
        .executeTakeFirstOrThrow();
      if (Number(count) >= MAX_CLAIMS) return;
      await db
        .insertInto("claimed_versions")
        .values({ agent_id: agentId, version })
        .onConflict((conflict) =>
          conflict.column("agent_id").doUpdateSet({ version }).where("claimed_versions.version", "<", version),
        )
        .execute();
    });
  }
}
