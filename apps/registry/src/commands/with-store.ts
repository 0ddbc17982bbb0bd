import { existsSync } from "node:fs";
import { RegistryError } from "../errors.ts";
import { prepareTables } from "../serve.ts";
import { openStore, type RegistryStore } from "../store/open-store.ts";
import { sqlitePath } from "../store/sqlite-path.ts";
import type { Surroundings } from "../surroundings.ts";

/** Runs `work` with the configured database, and closes it. */
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

/**
 * Runs `work` with an existing database, for commands that read or change another process's data.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION` when there is no database; it does not create one.
 */
export async function withExistingStore(
  surroundings: Surroundings,
  work: (store: RegistryStore) => Promise<void>,
): Promise<void> {
  const path = sqlitePath(surroundings.config().database);
  if (path !== undefined && !existsSync(path)) {
    const message = `there is no database ${path}: name it in AGENTPRINT_REGISTRY_DATABASE`;
    throw new RegistryError("INVALID_CONFIGURATION", message);
  }
  await withStore(surroundings, work);
}
