import { existsSync } from "node:fs";
import { loadSignerKey, type SignerKey, TrailStoreError } from "@agentprint/trail-store";
import { RegistryError } from "../errors.ts";
import { sqlitePath } from "../store/sqlite-path.ts";
import type { Config } from "./config.ts";

/**
 * Refuses to start an empty registry with the signer key of a registry whose database is gone: the new registry would
 * assign the old one's version numbers again.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION` when the key that belongs to a SQLite file exists but the file
 * does not.
 */
export function checkNotLost({ database, signer_key_file }: Config): void {
  const path = sqlitePath(database);
  if (path === undefined || existsSync(path)) return;
  const key = signer_key_file ?? `${path}.signer-key`;
  if (!existsSync(key)) return;
  const fix =
    "restore a backup with agentprint-registry restore, or start an empty registry elsewhere or without this key";
  throw new RegistryError("INVALID_CONFIGURATION", `there is a signer key ${key} but no database ${path}: ${fix}`);
}

/**
 * Returns the key that signs a registry's checkpoints. For SQLite, a missing key is created in `<database>.signer-key`.
 * The instances that share a PostgreSQL database need the same key, so its file must be configured.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION` when there is no key or it belongs to another name.
 */
export function loadSigning({ database, signer_key_file, name }: Config): SignerKey {
  if (signer_key_file === undefined && !database.startsWith("file:")) {
    const message = "expected signer_key_file for PostgreSQL: `agentprint-registry keygen <file>` creates it";
    throw new RegistryError("INVALID_CONFIGURATION", message);
  }
  try {
    return loadSignerKey(name, { url: database, file: signer_key_file });
  } catch (cause) {
    if (!(cause instanceof TrailStoreError)) throw cause;
    throw new RegistryError("INVALID_CONFIGURATION", cause.message, { cause });
  }
}
