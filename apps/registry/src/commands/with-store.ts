import { prepareTables } from "../serve.ts";
import { openStore, type RegistryStore } from "../store/open-store.ts";
import type { Surroundings } from "../surroundings.ts";

/** Runs `work` with the database of the configuration, and closes it. */
export async function withStore(
  { config }: Surroundings,
  work: (store: RegistryStore) => Promise<void>,
  prepare: (store: RegistryStore) => Promise<void> = prepareTables,
): Promise<void> {
  const store = await openStore(config().database);
  try {
    await prepare(store);
    await work(store);
  } finally {
    await store.close();
  }
}
