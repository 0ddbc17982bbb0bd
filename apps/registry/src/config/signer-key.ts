import { loadSignerKey, type SignerKey, TrailStoreError } from "@agentprint/trail-store";
import { RegistryError } from "../errors.ts";
import type { Config } from "./config.ts";

/**
 * The key that signs the checkpoints of a registry. For SQLite it is made in `<database>.signer-key` if there is none. The
 * instances that share a PostgreSQL database need the same key, so that its file has to be named.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION` when there is no key, or it is the key of another name.
 */
export function loadSigning({ database, signer_key_file, name }: Config): SignerKey {
  if (signer_key_file === undefined && !database.startsWith("file:")) {
    const message = "expected signer_key_file for PostgreSQL: `agentprint-registry keygen <file>` makes it";
    throw new RegistryError("INVALID_CONFIGURATION", message);
  }
  try {
    return loadSignerKey(name, { url: database, file: signer_key_file });
  } catch (cause) {
    if (!(cause instanceof TrailStoreError)) throw cause;
    throw new RegistryError("INVALID_CONFIGURATION", cause.message, { cause });
  }
}
